import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type {
  Assertion,
  RequestOptions,
  SecondFactorAnswer,
  SecondFactorWays,
  TimeCodeSetup,
} from '#shared/schemas/second-factor.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { describeRequest, makeChallenge, verifyPasskey } from '../passkey/passkey.service.ts'
import {
  asksSecondFactor,
  CODE_SENTENCES,
  ensureRecoveryCodes,
  findWays,
  noteChange,
  readFactors,
  spendCode,
  tellOfRecoveryCode,
} from '../second-factor/second-factor.service.ts'
import { replaceTimeCode } from '../time-code/time-code.queries.ts'
import { describeSecret, findStepOfCode } from '../time-code/time-code.service.ts'
import {
  type Accounts,
  beginSignedIn,
  completeSignIn,
  requireActiveAccount,
  writeLoginDown,
} from './auth.service.ts'
import { makeDeviceToken, readDeviceToken } from './known-device.ts'
import { LeavingError } from './leaving-step.ts'
import { ENROLMENT, type FirstStep, SECOND_FACTOR } from './second-factor-step.ts'
import { beginStep, readStep, type StepKind, takeStep } from './sign-in-step.ts'

const PASSKEY_SIGN_IN: StepKind<{ challenge: string }> = {
  kind: 'passkey-sign-in',
  data: z.object({ challenge: z.string() }),
}

const tooLate = () => new AppError('unauthenticated', 'This took too long. Please sign in again.')

type Pending = {
  ways: SecondFactorWays
  passkey: RequestOptions | null
  setup: TimeCodeSetup | null
}

/** Returns the pending step of the sign-in that this browser began, with the ways to complete it. */
export async function readPendingStep(accounts: Accounts): Promise<Pending | null> {
  const { db, origin } = accounts
  const second = await readStep(accounts, SECOND_FACTOR)
  if (second && second.userId !== null) {
    const { userId, data } = second
    const ways = findWays(await readFactors(db, { userId, origin }))
    if (!ways || ways.enrol) return null
    const { challenge } = data
    const passkey = ways.passkey ? await describeRequest(db, { origin, challenge, userId }) : null
    return { ways, passkey, setup: null }
  }
  const enrolment = await readStep(accounts, ENROLMENT)
  if (!enrolment || enrolment.userId === null) return null
  const ways = { code: false, recoveryCode: false, passkey: false, enrol: true }
  const { username } = await requireActiveAccount(accounts, enrolment.userId)
  const setup = await describeSetup(accounts, { secret: enrolment.data.secret, username })
  return { ways, passkey: null, setup }
}

async function describeSetup(
  { db }: Pick<Accounts, 'db'>,
  { secret, username }: { secret: string; username: string },
): Promise<TimeCodeSetup> {
  const { name } = await findSiteSettings(db)
  return describeSecret(secret, { issuer: name, username })
}

/**
 * A wrong answer keeps the step, so that the member can try again.
 * @throws `unauthenticated`, `too-many`, `invalid` without a code or passkey
 */
export async function finishSignIn(
  accounts: Accounts & Pick<Context, 'live'>,
  answer: SecondFactorAnswer,
): Promise<OwnUser> {
  const { db, origin } = accounts
  const step = await readStep(accounts, SECOND_FACTOR)
  if (!step || step.userId === null) throw tooLate()
  const { userId } = step
  const user = await requireActiveAccount(accounts, userId)
  let wasRecovery = false
  if (answer.passkey) {
    const { challenge } = step.data
    await orWriteDown(accounts, user, () =>
      verifyPasskey(db, { origin, challenge, assertion: answer.passkey as Assertion, userId }),
    )
  } else {
    if (!answer.code) throw new AppError('invalid', 'Enter the code of your authenticator app.')
    const found = await spendCode(accounts, { user, code: answer.code })
    if (found.is !== 'right') {
      await writeFailureDown(accounts, user)
      throw new AppError('unauthenticated', CODE_SENTENCES[found.is])
    }
    wasRecovery = found.isRecovery
  }
  if (!(await takeStep(accounts, SECOND_FACTOR))) throw tooLate()
  if (wasRecovery) await tellOfRecoveryCode(accounts, user)
  return beginAfterSecondFactor(accounts, { user, ...step.data })
}

type Member = { id: number; username: string; password: string }

async function orWriteDown<Result>(
  accounts: Accounts,
  user: Member | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') {
      await writeFailureDown(accounts, user)
    }
    throw error
  }
}

async function writeFailureDown(accounts: Accounts, user: Member | undefined): Promise<void> {
  const { log, address } = accounts
  log.warn({ userId: user?.id ?? null, address, step: 2 }, 'login failed')
  await writeLoginDown(accounts, { action: 'member.fail-login', member: user })
}

async function beginAfterSecondFactor(
  accounts: Accounts,
  { user, ...first }: FirstStep & { user: Member & { deletesAt: string | null } },
): Promise<OwnUser> {
  const { id: userId, deletesAt } = user
  const signedIn = await beginSignedIn(accounts, { userId, deletesAt, ...first })
  accounts.log.info({ userId, address: accounts.address }, 'login')
  await writeLoginDown(accounts, { action: 'member.login', member: user })
  if (first.rememberMe && first.method === 'password') await rememberDevice(accounts, user)
  return signedIn
}

async function rememberDevice({ db, deviceCookie }: Accounts, account: Member): Promise<void> {
  const known = await readDeviceToken(db, { token: deviceCookie.read(), account })
  if (known === undefined) deviceCookie.write(await makeDeviceToken(db, account))
}

/**
 * @returns no user for an account that is scheduled for deletion: the step of `keepAccount` has begun
 * @throws `unauthenticated` for a wrong code, and when the member already has a second factor
 */
export async function finishEnrolment(
  accounts: Accounts & Pick<Context, 'live'>,
  { code }: { code: string },
): Promise<{ user: OwnUser | null; username: string; recoveryCodes: string[] | null }> {
  const { db } = accounts
  const step = await readStep(accounts, ENROLMENT)
  if (!step || step.userId === null) throw tooLate()
  const { userId } = step
  const user = await requireActiveAccount(accounts, userId)
  const { secret } = step.data
  const lastStep = await findStepOfCode(secret, code.replaceAll(/[\s-]/g, ''))
  if (lastStep === undefined) throw new AppError('unauthenticated', CODE_SENTENCES.wrong)
  if (!(await takeStep(accounts, ENROLMENT))) throw tooLate()
  const recoveryCodes = await inTransaction(db, async (transaction) => {
    // Somebody who began with a stolen password must not replace a second factor that the member has set up since.
    const factors = await readFactors(transaction, { userId, origin: accounts.origin })
    if (asksSecondFactor(factors)) throw tooLate()
    await replaceTimeCode(transaction, { userId, secret, lastStep })
    await noteChange(transaction, { user, ...TIME_CODES_ADDED })
    return ensureRecoveryCodes(transaction, userId)
  })
  accounts.live.announce([userId])
  accounts.log.info({ userId, address: accounts.address, change: 'add' }, 'second factor changed')
  const signedIn = await beginAfterSecondFactor(accounts, { user, ...step.data }).catch((error) => {
    // The recovery codes cannot be shown again later.
    if (error instanceof LeavingError) return null
    throw error
  })
  return { user: signedIn, username: user.username, recoveryCodes }
}

export const TIME_CODES_ADDED = {
  title: 'An authenticator app was added',
  message: 'Signing in asks for its codes now. If this was not you, change your password.',
  reason: 'Authenticator app added',
}

/** Accepts any passkey of this site, so no username is needed. */
export async function beginPasskeySignIn(accounts: Accounts): Promise<RequestOptions> {
  const { db, origin } = accounts
  const challenge = makeChallenge()
  const options = await describeRequest(db, { origin, challenge, userId: null })
  await beginStep(accounts, PASSKEY_SIGN_IN, { userId: null, data: { challenge } })
  return options
}

/** @throws `unauthenticated`, `too-many`, `forbidden` for a banned member */
export async function signInByPasskey(
  accounts: Accounts,
  input: { passkey: Assertion; rememberMe: boolean },
): Promise<OwnUser> {
  const { db, origin, limits, address } = accounts
  const step = await takeStep(accounts, PASSKEY_SIGN_IN)
  if (!step) throw tooLate()
  const end = await limits.loginFailuresByAddress.begin(address)
  let counts = true
  try {
    const { challenge } = step.data
    const { userId } = await orWriteDown(accounts, undefined, () =>
      verifyPasskey(db, { origin, challenge, assertion: input.passkey }),
    )
    counts = false
    const user = await requireActiveAccount(accounts, userId)
    const signedIn = await completeSignIn(accounts, {
      ...{ userId, rememberMe: input.rememberMe, method: 'passkey' },
    })
    accounts.log.info({ userId, address, method: 'passkey' }, 'login')
    await writeLoginDown(accounts, { action: 'member.login', member: user })
    return signedIn
  } finally {
    await end({ counts })
  }
}
