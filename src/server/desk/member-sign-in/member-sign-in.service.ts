/** Lets admins see and remove the ways in which a member signs in, after a loss or a takeover of the account. */
import { randomBytes } from 'node:crypto'
import { countApiTokens, deleteApiTokens } from '#server/account/api-token/api-token.queries.ts'
import { deleteSessions } from '#server/account/auth/auth.queries.ts'
import { deleteStepsOf } from '#server/account/auth/sign-in-step.queries.ts'
import { deletePasswordResets, insertPasswordReset } from '#server/account/member/member.queries.ts'
import { requireMember } from '#server/account/member/member.service.ts'
import { deletePasskey } from '#server/account/passkey/passkey.queries.ts'
import { readIdentities, takeIdentity } from '#server/account/provider/provider-link.service.ts'
import { membersTold } from '#server/account/second-factor/second-factor.events.ts'
import {
  readFactors,
  removeFactors,
  tidyFactors,
} from '#server/account/second-factor/second-factor.service.ts'
import { listSessions } from '#server/account/settings/settings.queries.ts'
import { deleteTimeCode } from '#server/account/time-code/time-code.queries.ts'
import { updateUser } from '#server/account/user/user.queries.ts'
import { takesPassword } from '#server/account/way-in/way-in.service.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import { type AuditAction, RESET_HOURS } from '#shared/admin-limits.ts'
import type { MemberSignIn } from '#shared/schemas/desk/member.schemas.ts'

const HOUR_MS = 3_600_000

/** A command has no `viewer`. */
type Target = { userId: number; viewer: Viewer | null }
type Words = { title: string; message: string }
type Taken = Words & { action: AuditAction; reason?: string; notified?: number[] }

export async function readMemberSignIn(
  { db, origin }: Pick<Context, 'db' | 'origin'>,
  { userId }: { userId: number },
): Promise<MemberSignIn> {
  const { isAdmin } = await requireMember(db, userId)
  const [factors, identities, sessions, apiTokenCount] = await Promise.all([
    readFactors(db, { userId, origin }),
    readIdentities(db, userId),
    listSessions(db, userId),
    countApiTokens(db, userId),
  ])
  const { hasPassword, passkeys, timeCodesSince, recoveryCodesLeft } = factors
  return {
    ...{ hasPassword, passkeys, timeCodesSince, recoveryCodesLeft, identities, apiTokenCount },
    takesPassword: await takesPassword(db, { isAdmin: isAdmin === 1 }),
    sessionCount: sessions.length,
  }
}

/** Keeps admins from locking themselves out, so that the last one can still sign in. */
function requireOther({ userId, viewer }: Target): void {
  if (userId !== viewer?.id) return
  const sentence = 'This is your own account. Change it in your settings, or ask another admin.'
  throw new AppError('conflict', sentence)
}

/**
 * Removes a part of another member's sign-in, ends the member's sessions and notifies the member.
 * @returns the ids of the members to notify
 */
function takeFrom(
  db: Database,
  target: Target,
  work: (transaction: DatabaseTransaction) => Promise<Taken>,
): Promise<number[]> {
  requireOther(target)
  const { userId, viewer } = target
  return inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    const { action, reason, notified = [], ...words } = await work(transaction)
    await deleteSessions(transaction, { userId })
    await deleteStepsOf(transaction, userId)
    await insertAuditEntry(transaction, {
      actor: viewer,
      action,
      target: { kind: 'member', id: userId, name: member.username },
      ...(reason !== undefined && { reason }),
    })
    await membersTold.raise({ db: transaction, userIds: [userId], ...words })
    return [userId, ...notified]
  })
}

/** @throws `conflict` for oneself; `not-found` */
export function removeMemberPasskey(
  { db, origin }: Pick<Context, 'db' | 'origin'>,
  { id, ...target }: Target & { id: number },
): Promise<number[]> {
  const { userId } = target
  return takeFrom(db, target, async (transaction) => {
    const name = await deletePasskey(transaction, { id, userId })
    if (name === undefined) throw new AppError('not-found', 'There is no such passkey.')
    await tidyFactors(transaction, { userId, origin })
    return {
      action: 'member.change-second-step',
      reason: `Passkey removed: ${name}`,
      title: 'An admin removed a passkey of yours',
      message: `“${name}” can no longer sign in to your account.`,
    }
  })
}

/** @throws `conflict` for oneself; `not-found` */
export function removeMemberTimeCodes(
  { db, origin }: Pick<Context, 'db' | 'origin'>,
  target: Target,
): Promise<number[]> {
  const { userId } = target
  return takeFrom(db, target, async (transaction) => {
    if (!(await deleteTimeCode(transaction, userId))) {
      throw new AppError('not-found', 'There is no authenticator app to remove.')
    }
    await tidyFactors(transaction, { userId, origin })
    return {
      action: 'member.change-second-step',
      reason: 'Authenticator app removed',
      title: 'An admin removed your authenticator app',
      message: 'Signing in no longer asks for its codes. You can set it up again.',
    }
  })
}

/**
 * Also removes the rights that roles of the provider gave.
 * @throws `conflict` for oneself; `not-found`
 */
export function unlinkMember(
  db: Database,
  { id, ...target }: Target & { id: number },
): Promise<number[]> {
  return takeFrom(db, target, async (transaction) => {
    const of = { id, userId: target.userId }
    const { identity, provider, notified } = await takeIdentity(transaction, of)
    return {
      action: 'member.unlink',
      reason: provider.name,
      title: `An admin unlinked ${provider.name}`,
      message: `${identity.name} can no longer sign in to your account.`,
      notified,
    }
  })
}

/** @throws `conflict` for oneself */
export function revokeMemberTokens(db: Database, target: Target): Promise<number[]> {
  return takeFrom(db, target, async (transaction) => {
    await deleteApiTokens(transaction, target.userId)
    return {
      action: 'member.revoke-tokens',
      title: 'An admin revoked your API tokens',
      message: 'Programs that use them need new ones.',
    }
  })
}

/**
 * Removes the second factor of a member who lost it.
 * @throws `conflict` for oneself, and for a member who has none
 */
export function resetSecondFactor(db: Database, target: Target): Promise<number[]> {
  return takeFrom(db, target, async (transaction) => {
    if (!(await removeFactors(transaction, target.userId))) {
      throw new AppError('conflict', 'This member has no two-step sign-in.')
    }
    return {
      action: 'member.reset-second-step',
      title: 'An admin reset your two-step sign-in',
      message: 'Your passkeys and codes no longer work. Set up new ones in your settings.',
    }
  })
}

/** Keeps the viewer's current session. */
export async function endMemberSessions(
  { db, live, log, address }: Pick<Context, 'db' | 'live' | 'log' | 'address'>,
  input: { userId: number; viewer: Viewer; session: ActiveSession },
): Promise<void> {
  const { userId, viewer, session } = input
  const ended = await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    const count = await deleteSessions(transaction, { userId, except: session.id })
    await deleteStepsOf(transaction, userId)
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.end-sessions',
      target: { kind: 'member', id: userId, name: member.username },
    })
    if (userId !== viewer.id) {
      const title = 'An admin logged you out everywhere'
      const message = 'Your sessions on all devices ended. Nothing else changed.'
      await membersTold.raise({ db: transaction, userIds: [userId], title, message })
    }
    return count
  })
  log.info({ userId, byUserId: viewer.id, address, ended, cause: 'admin' }, 'sessions ended')
  live.announce([userId])
}

type PasswordLink = { token: string; expiresAt: string; notified: number[] }

/**
 * Creates a link that works once within a day. Ends an earlier link and all sessions, any of which may be stolen.
 * @param input.session is kept
 * @param input.allWays leaves the link as the only way to sign in
 * @returns the only copy of its token, stored as a digest
 * @throws `conflict` for a banned member, and for all ways of oneself
 */
export async function createPasswordReset(
  db: Database,
  input: Target & { session?: ActiveSession; allWays?: boolean },
): Promise<PasswordLink> {
  const { userId, viewer, session, allWays = false } = input
  if (allWays) requireOther(input)
  const token = randomBytes(32).toString('base64url')
  const expiresAt = timestamp(new Date(Date.now() + RESET_HOURS * HOUR_MS))
  const notified = await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    if (member.bannedAt !== null) {
      throw new AppError('conflict', 'This member is banned. Lift the ban first.')
    }
    const others = allWays ? await removeAllWays(transaction, userId) : []
    await deletePasswordResets(transaction, userId)
    await insertPasswordReset(transaction, { tokenHash: digestOf(token), userId, expiresAt })
    await deleteStepsOf(transaction, userId)
    await deleteSessions(transaction, { userId, ...(session && { except: session.id }) })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.reset-password',
      target: { kind: 'member', id: userId, name: member.username },
      ...(allWays && { reason: 'Every other way to sign in removed' }),
    })
    return [userId, ...others]
  })
  return { token, expiresAt, notified }
}

/**
 * The last admin keeps the role even if a provider gave it.
 * @returns the ids of the members to notify
 */
async function removeAllWays(db: DatabaseTransaction, userId: number): Promise<number[]> {
  const notified: number[] = []
  for (const { id } of await readIdentities(db, userId)) {
    notified.push(...(await takeIdentity(db, { id, userId })).notified)
  }
  await removeFactors(db, userId)
  await deleteApiTokens(db, userId)
  // No password matches the empty string.
  await updateUser(db, { id: userId, change: { password: '' } })
  const title = 'An admin reset how you sign in'
  const message =
    'Passkeys, authenticator app, linked accounts and API tokens were removed. Check your email address in the settings too.'
  await membersTold.raise({ db, userIds: [userId], title, message })
  return notified
}
