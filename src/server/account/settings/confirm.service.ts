/** See docs/decisions/0024-sessions-and-passwords.md and 0079-second-factor.md. */
import { z } from 'zod'
import { requireConfirmed } from '#server/platform/confirmation.ts'
import type { Context } from '#server/platform/context.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import type { Assertion, Factors, RequestOptions } from '#shared/schemas/second-factor.schemas.ts'
import type { ConfirmPassword } from '#shared/schemas/settings.schemas.ts'
import { confirmSession } from '../auth/auth.service.ts'
import { beginStep, type StepKind, takeStep } from '../auth/sign-in-step.ts'
import { describeRequest, makeChallenge, verifyPasskey } from '../passkey/passkey.service.ts'
import {
  asksSecondFactor,
  CODE_SENTENCES,
  findWays,
  readFactors,
  spendCode,
  tellOfRecoveryCode,
} from '../second-factor/second-factor.service.ts'
import { hasWayIn, takesPassword } from '../way-in/way-in.service.ts'
import { findSessionOrigin } from './settings.queries.ts'
import { type PasswordGuard, requirePassword } from './settings.service.ts'

const RECENT_MS = 10 * 60_000

const CONFIRMATION: StepKind<{ challenge: string }> = {
  kind: 'confirm',
  data: z.object({ challenge: z.string() }),
}

type Guard = PasswordGuard & Pick<Context, 'origin' | 'stepCookie' | 'sessionCookie' | 'live'>
type Asker = { viewer: Viewer; session: ActiveSession }

export async function readConfirmWays(
  { db, origin }: Pick<Guard, 'db' | 'origin'>,
  { viewer }: Pick<Asker, 'viewer'>,
) {
  const factors = await readFactors(db, { userId: viewer.id, origin })
  const second = findWays(factors)
  return {
    password: await asksPassword(db, { viewer, factors }),
    code: second?.code ?? false,
    recoveryCode: second?.recoveryCode ?? false,
    passkey: factors.passkeys.length > 0 && factors.passkeyHost !== null,
    provider: !asksSecondFactor(factors),
  }
}

/** A member with a second factor may have forgotten a password that signs them in no more. */
async function asksPassword(
  db: Database,
  { viewer, factors }: Pick<Asker, 'viewer'> & { factors: Factors },
): Promise<boolean> {
  if (!factors.hasPassword || !asksSecondFactor(factors)) return factors.hasPassword
  return takesPassword(db, viewer)
}

export async function beginPasskeyConfirm(
  guard: Guard,
  { viewer }: Asker,
): Promise<RequestOptions> {
  const { db, origin } = guard
  const challenge = makeChallenge()
  const options = await describeRequest(db, { origin, challenge, userId: viewer.id })
  await beginStep(guard, CONFIRMATION, { userId: viewer.id, data: { challenge } })
  return options
}

/**
 * Confirms the session for ten minutes.
 * @throws `forbidden` for a wrong password, code or passkey, `too-many`
 */
export async function confirmPassword(
  guard: Guard,
  { viewer, session, ...proof }: ConfirmPassword & Asker,
): Promise<void> {
  if (proof.passkey) await requirePasskey(guard, { viewer, assertion: proof.passkey })
  else await requireTyped(guard, { viewer, session, ...proof })
  await confirmSession(guard, session)
  guard.log.info({ userId: viewer.id, address: guard.address }, 'password confirmed')
}

async function requirePasskey(
  guard: Guard,
  { viewer, assertion }: { viewer: Viewer; assertion: Assertion },
): Promise<void> {
  const { db, origin, log, address } = guard
  const step = await takeStep(guard, CONFIRMATION)
  if (!step) throw new AppError('forbidden', 'This took too long. Please try again.')
  const { challenge } = step.data
  try {
    await verifyPasskey(db, { origin, challenge, assertion, userId: viewer.id })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ userId: viewer.id, address }, 'wrong passkey in a session')
    throw new AppError('forbidden', error.message)
  }
}

async function requireTyped(
  guard: Guard,
  { viewer, session, password, code }: Omit<ConfirmPassword, 'passkey'> & Asker,
): Promise<void> {
  const factors = await readFactors(guard.db, { userId: viewer.id, origin: guard.origin })
  const second = findWays(factors)
  if (await asksPassword(guard.db, { viewer, factors })) {
    await requirePassword(guard, { viewer, password: password ?? '' })
  }
  if (second && !second.enrol) {
    if (code) return requireCode(guard, { viewer, code })
    throw new AppError(
      'forbidden',
      second.code
        ? 'Enter the code of your authenticator app too.'
        : 'Confirm with your passkey, or enter a recovery code too.',
    )
  }
  if (!factors.hasPassword) {
    const passkeysWork = factors.passkeyHost !== null
    await requireRecent(guard.db, { viewer, session, passkeysWork })
  }
}

async function requireCode(
  guard: Guard,
  { viewer, code }: { viewer: Viewer; code: string },
): Promise<void> {
  const found = await spendCode(guard, { user: viewer, code })
  if (found.is === 'right') {
    if (found.isRecovery) await tellOfRecoveryCode(guard, viewer)
    return
  }
  guard.log.warn({ userId: viewer.id, address: guard.address }, 'wrong code in a session')
  throw new AppError('forbidden', CODE_SENTENCES[found.is])
}

/** Members who can only sign in with a provider are confirmed by a sign-in within the last ten minutes. */
async function requireRecent(
  db: Database,
  { viewer, session, passkeysWork }: Asker & { passkeysWork: boolean },
): Promise<void> {
  const origin = await findSessionOrigin(db, session.id)
  const age = origin ? Date.now() - Date.parse(origin.createdAt) : Number.NaN
  if (age >= 0 && age < RECENT_MS) return
  throw new AppError('forbidden', await describeWayOn(db, { viewer, passkeysWork }))
}

/** A member without any way to sign in must not be advised to log out. */
async function describeWayOn(
  db: Database,
  { viewer, passkeysWork }: Pick<Asker, 'viewer'> & { passkeysWork: boolean },
): Promise<string> {
  if (await hasWayIn(db, { member: viewer, passkeysWork })) {
    return 'Confirm with your passkey or linked account, or log out and sign in again.'
  }
  const nothing =
    'Your account has no password, linked account or passkey that works here, so nothing can confirm that it is you.'
  return (await takesPassword(db, viewer))
    ? `${nothing} Ask an admin for a link to a new password.`
    : `${nothing} Ask an admin to allow passwords, and for a link to a new one.`
}

/**
 * For calls that accept a password directly: members with a second factor must have confirmed with it too.
 * @throws `unconfirmed`
 */
export async function requireSecondFactorConfirmed(
  { db, origin }: Pick<Guard, 'db' | 'origin'>,
  { viewer, session }: Asker,
): Promise<void> {
  const factors = await readFactors(db, { userId: viewer.id, origin })
  if (asksSecondFactor(factors)) requireConfirmed(session)
}
