/** A member's own second factors. See docs/decisions/0079-second-factor.md. */
import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type {
  Attestation,
  CreationOptions,
  TimeCodeSetup,
} from '#shared/schemas/second-factor.schemas.ts'
import { TIME_CODES_ADDED } from '../auth/second-factor-step.service.ts'
import { beginStep, readStep, type StepKind, takeStep } from '../auth/sign-in-step.ts'
import { deletePasskey, updateName } from '../passkey/passkey.queries.ts'
import {
  describeCreation,
  makeChallenge,
  storePasskey,
  verifyNewPasskey,
} from '../passkey/passkey.service.ts'
import { renewRecoveryCodes } from '../recovery-code/recovery-code.service.ts'
import { updatePasskeyAfterPassword } from '../second-factor/second-factor.queries.ts'
import {
  asksSecondFactor,
  CODE_SENTENCES,
  ensureRecoveryCodes,
  noteChange,
  readFactors,
  requireFactorLeft,
  tidyFactors,
} from '../second-factor/second-factor.service.ts'
import { deleteTimeCode, replaceTimeCode } from '../time-code/time-code.queries.ts'
import { describeSecret, findStepOfCode, makeSecret } from '../time-code/time-code.service.ts'
import { requireWayIn } from '../way-in/way-in.service.ts'

type Deps = Pick<Context, 'db' | 'log' | 'address' | 'live' | 'origin' | 'stepCookie'>
type Asker = { viewer: Viewer }

const TIME_CODES: StepKind<{ secret: string }> = {
  kind: 'time-codes',
  data: z.object({ secret: z.string() }),
}
const PASSKEY: StepKind<{ challenge: string; userHandle: string }> = {
  kind: 'passkey',
  data: z.object({ challenge: z.string(), userHandle: z.string() }),
}

const tooLate = () => new AppError('conflict', 'This took too long. Please begin again.')
const noSuchPasskey = () => new AppError('not-found', 'There is no such passkey.')

/** Makes a change in a transaction, writes it to the audit log and notifies the member. */
async function change<Result>(
  { db, log, address, live }: Deps,
  input: Asker & { words: { title: string; message: string; reason: string } },
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  const { viewer: user, words } = input
  const result = await inTransaction(db, async (transaction) => {
    const changed = await work(transaction)
    await noteChange(transaction, { user, ...words })
    return changed
  })
  live.announce([user.id])
  log.info({ userId: user.id, address, change: words.title }, 'second factor changed')
  return result
}

/** @throws `conflict` when the site requires a second factor and none is left */
async function tidyOwnFactors(
  db: DatabaseTransaction,
  of: { userId: number; origin: string },
): Promise<void> {
  await requireFactorLeft(db, of)
  await tidyFactors(db, of)
}

const IF_NOT_YOU = 'If this was not you, change your password.'

/** The new key works after `confirmTimeCodes`; until then an earlier key works. */
export async function beginTimeCodes(deps: Deps, { viewer }: Asker): Promise<TimeCodeSetup> {
  const secret = makeSecret()
  await beginStep(deps, TIME_CODES, { userId: viewer.id, data: { secret } })
  const { name } = await findSiteSettings(deps.db)
  return describeSecret(secret, { issuer: name, username: viewer.username })
}

/** @throws `forbidden` for a wrong code, after which another attempt is possible; `conflict` after ten minutes */
export async function confirmTimeCodes(deps: Deps, { viewer, code }: Asker & { code: string }) {
  const userId = viewer.id
  const step = await readStep(deps, TIME_CODES)
  if (step?.userId !== userId) throw tooLate()
  const { secret } = step.data
  const lastStep = await findStepOfCode(secret, code.replaceAll(/[\s-]/g, ''))
  if (lastStep === undefined) throw new AppError('forbidden', CODE_SENTENCES.wrong)
  if (!(await takeStep(deps, TIME_CODES))) throw tooLate()
  return change(deps, { viewer, words: TIME_CODES_ADDED }, async (transaction) => {
    await replaceTimeCode(transaction, { userId, secret, lastStep })
    return { recoveryCodes: await ensureRecoveryCodes(transaction, userId) }
  })
}

/** @throws `conflict` when the site requires a second factor and this is the last */
export async function removeTimeCodes(deps: Deps, { viewer }: Asker): Promise<void> {
  const userId = viewer.id
  const words = {
    title: 'Your authenticator app was removed',
    message: `Signing in no longer asks for its codes. ${IF_NOT_YOU}`,
    reason: 'Authenticator app removed',
  }
  await change(deps, { viewer, words }, async (transaction) => {
    if (!(await deleteTimeCode(transaction, userId))) {
      throw new AppError('not-found', 'There is no authenticator app to remove.')
    }
    await tidyOwnFactors(transaction, { userId, origin: deps.origin })
  })
}

/**
 * Replaces earlier codes.
 * @throws `conflict` without a second factor that the codes could replace
 */
export async function renewCodes(deps: Deps, { viewer }: Asker) {
  const words = {
    title: 'Your recovery codes were renewed',
    message: `Earlier ones no longer work. ${IF_NOT_YOU}`,
    reason: 'Recovery codes renewed',
  }
  return change(deps, { viewer, words }, async (transaction) => {
    const factors = await readFactors(transaction, { userId: viewer.id, origin: deps.origin })
    if (!asksSecondFactor(factors)) {
      throw new AppError('conflict', 'Recovery codes belong to two-step sign-in. Set it up first.')
    }
    return { recoveryCodes: await renewRecoveryCodes(transaction, viewer.id) }
  })
}

export async function beginPasskey(deps: Deps, { viewer }: Asker): Promise<CreationOptions> {
  const { db, origin } = deps
  const challenge = makeChallenge()
  const { name: siteName } = await findSiteSettings(db)
  const options = await describeCreation(db, { origin, challenge, siteName, user: viewer })
  const data = { challenge, userHandle: options.user.id }
  await beginStep(deps, PASSKEY, { userId: viewer.id, data })
  return options
}

/** @throws `conflict` after ten minutes; `invalid` for a wrong answer */
export async function addPasskeyOf(
  deps: Deps,
  { viewer, name, passkey }: Asker & { name: string; passkey: Attestation },
): Promise<void> {
  const step = await takeStep(deps, PASSKEY)
  if (step?.userId !== viewer.id) throw tooLate()
  const words = {
    title: 'A passkey was added',
    message: `“${name}” can sign in to your account. ${IF_NOT_YOU}`,
    reason: `Passkey added: ${name}`,
  }
  const { challenge, userHandle } = step.data
  const verified = await verifyNewPasskey({ origin: deps.origin, challenge, attestation: passkey })
  const row = { ...verified, userId: viewer.id, userHandle, name }
  await change(deps, { viewer, words }, (transaction) => storePasskey(transaction, row))
}

/** @throws `not-found`, also for another member's passkey */
export async function renamePasskey(
  db: Database,
  { viewer, id, name }: Asker & { id: number; name: string },
): Promise<void> {
  if (!(await updateName(db, { id, userId: viewer.id, name }))) throw noSuchPasskey()
}

/**
 * @throws `not-found`; `conflict` for the only way to sign in, and when the site requires a second factor and this is
 * the last
 */
export async function removePasskey(
  deps: Deps,
  { viewer, id }: Asker & { id: number },
): Promise<void> {
  const userId = viewer.id
  const words = {
    title: 'A passkey was removed',
    message: `It can no longer sign in to your account. ${IF_NOT_YOU}`,
    reason: 'Passkey removed',
  }
  await change(deps, { viewer, words }, async (transaction) => {
    const name = await deletePasskey(transaction, { id, userId })
    if (name === undefined) throw noSuchPasskey()
    await requireWayIn(transaction, { member: viewer, origin: deps.origin })
    await tidyOwnFactors(transaction, { userId, origin: deps.origin })
  })
}

/** @throws `conflict` without a passkey */
export async function setPasskeyAfterPassword(
  deps: Deps,
  { viewer, isOn }: Asker & { isOn: boolean },
): Promise<{ recoveryCodes: string[] | null }> {
  const userId = viewer.id
  const words = isOn
    ? {
        title: 'A passkey is asked for after your password',
        message: `The password alone no longer signs you in. ${IF_NOT_YOU}`,
        reason: 'Passkey after the password: on',
      }
    : {
        title: 'No passkey is asked for after your password',
        message: IF_NOT_YOU,
        reason: 'Passkey after the password: off',
      }
  return change(deps, { viewer, words }, async (transaction) => {
    await updatePasskeyAfterPassword(transaction, { userId, isOn })
    if (!isOn) {
      await tidyOwnFactors(transaction, { userId, origin: deps.origin })
      return { recoveryCodes: null }
    }
    const { passkeys } = await readFactors(transaction, { userId, origin: deps.origin })
    if (passkeys.length === 0) throw new AppError('conflict', 'Add a passkey first.')
    return { recoveryCodes: await ensureRecoveryCodes(transaction, userId) }
  })
}
