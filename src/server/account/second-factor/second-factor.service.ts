/** See docs/decisions/0079-second-factor.md. */

import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { EndAct } from '#server/platform/cluster/outcome-limit.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Factors } from '#shared/schemas/second-factor.schemas.ts'
import type { SignInSettings } from '#shared/schemas/sign-in.schemas.ts'
import { deletePasskeys, listPasskeys } from '../passkey/passkey.queries.ts'
import { passkeyHost } from '../passkey/passkey.service.ts'
import { countRecoveryCodes, deleteRecoveryCodes } from '../recovery-code/recovery-code.queries.ts'
import { renewRecoveryCodes, spendRecoveryCode } from '../recovery-code/recovery-code.service.ts'
import { findSignInSettings } from '../sign-in-settings/sign-in-settings.queries.ts'
import { deleteTimeCode, findTimeCode } from '../time-code/time-code.queries.ts'
import { spendTimeCode } from '../time-code/time-code.service.ts'
import { membersTold } from './second-factor.events.ts'
import { findFactorOwner, updatePasskeyAfterPassword } from './second-factor.queries.ts'

type Rule = Pick<SignInSettings, 'secondFactorFor' | 'secondFactorFrom'>
type Required = Factors['required']

/** Returns null if the site does not require a second factor of the member. */
export function requirementOf(rule: Rule, { isAdmin }: { isAdmin: boolean }): Required {
  const { secondFactorFor, secondFactorFrom: from } = rule
  const isConcerned = secondFactorFor === 'everybody' || (secondFactorFor === 'admins' && isAdmin)
  return isConcerned ? { from, isDue: from === null || from <= timestamp() } : null
}

export async function readFactors(
  db: Database,
  { userId, origin }: { userId: number; origin: string },
): Promise<Factors> {
  const [owner, timeCode, passkeys, recoveryCodesLeft, rule] = await Promise.all([
    findFactorOwner(db, userId),
    findTimeCode(db, userId),
    listPasskeys(db, userId),
    countRecoveryCodes(db, userId),
    findSignInSettings(db),
  ])
  return {
    hasPassword: owner.hasPassword === 1,
    timeCodesSince: timeCode?.createdAt ?? null,
    recoveryCodesLeft,
    passkeys: passkeys.map(({ id, name, isBackedUp, createdAt, lastUsedAt }) => ({
      ...{ id, name, createdAt, lastUsedAt },
      isBackedUp: isBackedUp === 1,
    })),
    passkeyAfterPassword: owner.passkeyAfterPassword === 1,
    passkeyHost: passkeyHost(origin) ?? null,
    required: requirementOf(rule, { isAdmin: owner.isAdmin === 1 }),
  }
}

/** Returns true if the member has a second factor that meets the requirement of the site. */
export const hasFactor = (factors: Pick<Factors, 'timeCodesSince' | 'passkeys'>) =>
  factors.timeCodesSince !== null || factors.passkeys.length > 0

/** Returns the ways to complete a sign-in by password or provider, or undefined if no second factor is needed. */
export function findWays(factors: Factors) {
  const { timeCodesSince, passkeys, passkeyAfterPassword, required } = factors
  const isDue = required?.isDue ?? false
  const asksPasskey = passkeys.length > 0 && (passkeyAfterPassword || isDue)
  if (timeCodesSince === null && !asksPasskey) {
    return isDue ? { code: false, recoveryCode: false, passkey: false, enrol: true } : undefined
  }
  return {
    code: timeCodesSince !== null,
    recoveryCode: factors.recoveryCodesLeft > 0,
    passkey: passkeys.length > 0 && factors.passkeyHost !== null,
    enrol: false,
  }
}

/** Returns true if the member has a second factor that is asked for after a password or provider. */
export const asksSecondFactor = (factors: Factors): boolean => findWays(factors)?.enrol === false

type Guard = Pick<Context, 'db' | 'limits' | 'address'>
type UsedCode = { is: 'right' | 'used' | 'wrong'; isRecovery: boolean }
type Guess = { user: Pick<Viewer, 'id' | 'username'>; code: string }

/**
 * Checks a code of the authenticator app or a recovery code, which is then used up. Wrong codes count like wrong
 * passwords; those of six digits also count per member from all addresses.
 * @throws `too-many`
 */
export async function spendCode(guard: Guard, guess: Guess): Promise<UsedCode> {
  const { user, code: typed } = guess
  const code = typed.replaceAll(/[\s-]/g, '')
  const isTimeCode = /^\d{6}$/.test(code)
  const end = await beginGuess(guard, { user, isTimeCode })
  let counts = false
  try {
    const userId = user.id
    const found = isTimeCode
      ? await spendTimeCode(guard.db, { userId, code })
      : (await spendRecoveryCode(guard.db, { userId, code }))
        ? 'right'
        : 'wrong'
    counts = found === 'wrong'
    return { is: found, isRecovery: !isTimeCode }
  } finally {
    await end({ counts })
  }
}

export const CODE_SENTENCES = {
  used: 'This code was used already. Wait for the next one.',
  wrong: 'This code is wrong. Check the clock of your device, or use a newer code.',
} as const

async function beginGuess(
  { limits, address }: Guard,
  { user, isTimeCode }: { user: Guess['user']; isTimeCode: boolean },
): Promise<EndAct> {
  const { loginFailuresByAccount, loginFailuresByAddress, wrongCodes } = limits
  const begun: EndAct[] = []
  const end: EndAct = async (outcome) => {
    await Promise.all(begun.map((one) => one(outcome)))
  }
  try {
    begun.push(await loginFailuresByAccount.begin(`${user.username.toLowerCase()} ${address}`))
    begun.push(await loginFailuresByAddress.begin(address))
    if (isTimeCode) begun.push(await wrongCodes.begin(String(user.id)))
  } catch (error) {
    await end({ counts: false })
    throw error
  }
  return end
}

type Change = {
  user: Pick<Viewer, 'id' | 'username'>
  title: string
  message: string
  /** Text for the audit log. */
  reason: string
}

/** @returns the members to notify through the live feed after the commit */
export async function noteChange(db: DatabaseTransaction, change: Change): Promise<number[]> {
  const { user, title, message, reason } = change
  const target = { kind: 'member', id: user.id, name: user.username } as const
  const action = 'member.change-second-step' as const
  await insertAuditEntry(db, { actor: user, action, target, reason })
  await membersTold.raise({ db, userIds: [user.id], title, message })
  return [user.id]
}

/** Notifies the member, because somebody else may have used the code. */
export async function tellOfRecoveryCode(
  { db, live }: Pick<Context, 'db' | 'live'>,
  { id }: Pick<Viewer, 'id'>,
): Promise<void> {
  const left = await countRecoveryCodes(db, id)
  const title = 'A recovery code was used'
  const message = `${left} ${left === 1 ? 'is' : 'are'} left. If this was not you, change your password.`
  await membersTold.raise({ db, userIds: [id], title, message })
  live.announce([id])
}

/** Makes recovery codes with the first factor of a member. Returns null if the member already has some. */
export async function ensureRecoveryCodes(
  db: DatabaseTransaction,
  userId: number,
): Promise<string[] | null> {
  return (await countRecoveryCodes(db, userId)) > 0 ? null : renewRecoveryCodes(db, userId)
}

/**
 * Call after a member removed time codes or a passkey.
 * @throws `conflict` when the site requires a second factor and none is left
 */
export async function requireFactorLeft(
  db: DatabaseTransaction,
  { userId, origin }: { userId: number; origin: string },
): Promise<void> {
  const factors = await readFactors(db, { userId, origin })
  if (!factors.required?.isDue || hasFactor(factors)) return
  throw new AppError(
    'conflict',
    'This site requires two-step sign-in. Add another passkey or an authenticator app first.',
  )
}

/**
 * Call after time codes or a passkey were removed. Removes the recovery codes and the passkey setting if nothing else
 * needs them.
 */
export async function tidyFactors(
  db: DatabaseTransaction,
  { userId, origin }: { userId: number; origin: string },
): Promise<void> {
  const factors = await readFactors(db, { userId, origin })
  const hasPasskeys = factors.passkeys.length > 0
  if (!hasPasskeys) await updatePasskeyAfterPassword(db, { userId, isOn: false })
  const isSecondFactor = hasPasskeys && (factors.passkeyAfterPassword || factors.required?.isDue)
  if (factors.timeCodesSince === null && !isSecondFactor) await deleteRecoveryCodes(db, userId)
}

/** @returns true if the member had any */
export async function removeFactors(db: DatabaseTransaction, userId: number): Promise<boolean> {
  const hadCodes = await deleteTimeCode(db, userId)
  const hadPasskeys = await deletePasskeys(db, userId)
  await deleteRecoveryCodes(db, userId)
  await updatePasskeyAfterPassword(db, { userId, isOn: false })
  return hadCodes || hadPasskeys
}

/**
 * Admins who require a second factor of others must have one.
 * @throws `conflict`
 */
export async function requireOwnFactor(db: Database, userId: number): Promise<void> {
  const [timeCode, passkeys] = await Promise.all([
    findTimeCode(db, userId),
    listPasskeys(db, userId),
  ])
  if (timeCode || passkeys.length > 0) return
  throw new AppError(
    'conflict',
    'Set up two-step sign-in for your own account first. It is in your settings.',
  )
}

export function describeRequiredFrom(from: string): string {
  const day = new Date(from).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
  return `Set up two-step sign-in by ${day}`
}
