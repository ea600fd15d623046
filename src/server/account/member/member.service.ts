import { randomBytes } from 'node:crypto'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import { RESET_HOURS } from '#shared/admin-limits.ts'
import type { SetQuota } from '#shared/schemas/desk/member.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { deleteSessions } from '../auth/auth.queries.ts'
import { hashPassword } from '../auth/password.ts'
import { requireHttps } from '../auth/required-https.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { updateVerified } from '../email/email.queries.ts'
import { passwordChangedLetter } from '../email/email-letters.ts'
import { requireGoodPassword } from '../new-password/new-password.service.ts'
import { membersTold } from '../second-factor/second-factor.events.ts'
import { removeFactors } from '../second-factor/second-factor.service.ts'
import { updateUser } from '../user/user.queries.ts'
import {
  deletePasswordResets,
  findMember,
  findPasswordReset,
  insertPasswordReset,
  updateQuota,
} from './member.queries.ts'
import { resetLetter } from './reset-letter.ts'

const HOUR_MS = 3_600_000

export async function requireMember(db: Database, userId: number) {
  const member = await findMember(db, userId)
  if (!member) throw new AppError('not-found', 'There is no such channel.')
  return member
}

export async function setQuota(db: Database, input: SetQuota & { viewer: Viewer }): Promise<void> {
  const { userId, quotaBytes, was, viewer } = input
  await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    requireUnchanged({ now: member, wish: { quotaBytes }, was })
    await updateQuota(transaction, { userId, quotaBytes })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.set-quota',
      target: { kind: 'member', id: userId, name: member.username },
      reason: quotaBytes === null ? "The site's quota" : formatBytes(quotaBytes),
    })
  })
}

/**
 * Valid once, for a day. Ends an earlier link and all sessions, as one may be stolen.
 * @param input.session is kept
 * @param input.viewer null for a command
 * @returns the only copy of its token, stored as a digest
 * @throws `conflict` for a banned member
 */
export async function createPasswordReset(
  db: Database,
  input: { userId: number; viewer: Viewer | null; session?: ActiveSession },
): Promise<{ token: string; expiresAt: string }> {
  const { userId, viewer, session } = input
  const token = randomBytes(32).toString('base64url')
  const expiresAt = timestamp(new Date(Date.now() + RESET_HOURS * HOUR_MS))
  await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    if (member.bannedAt !== null) {
      throw new AppError('conflict', 'This member is banned. Lift the ban first.')
    }
    await deletePasswordResets(transaction, userId)
    await insertPasswordReset(transaction, { tokenHash: digestOf(token), userId, expiresAt })
    await deleteStepsOf(transaction, userId)
    await deleteSessions(transaction, { userId, ...(session && { except: session.id }) })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.reset-password',
      target: { kind: 'member', id: userId, name: member.username },
    })
  })
  return { token, expiresAt }
}

/** Keeps one's current session. */
export async function endMemberSessions(
  { db, live, log, address }: Pick<Context, 'db' | 'live' | 'log' | 'address'>,
  input: { userId: number; viewer: Viewer; session: ActiveSession },
): Promise<void> {
  const { userId, viewer, session } = input
  const ended = await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    const count = await deleteSessions(transaction, { userId, except: session.id })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.end-sessions',
      target: { kind: 'member', id: userId, name: member.username },
    })
    return count
  })
  log.info({ userId, byUserId: viewer.id, address, ended, cause: 'admin' }, 'sessions ended')
  live.announce([userId])
}

/**
 * Removes the second step of a member who lost it, and ends the member's sessions.
 * @param input.viewer null for a command
 * @throws `conflict` for the viewer's own account, and for a member without a second step
 */
export async function resetSecondFactor(
  db: Database,
  input: { userId: number; viewer: Viewer | null },
): Promise<void> {
  const { userId, viewer } = input
  if (userId === viewer?.id) {
    const sentence =
      'You cannot reset your own two-step sign-in. Use a recovery code, or ask another admin.'
    throw new AppError('conflict', sentence)
  }
  await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    if (!(await removeFactors(transaction, userId))) {
      throw new AppError('conflict', 'This member has no two-step sign-in.')
    }
    await deleteSessions(transaction, { userId })
    await deleteStepsOf(transaction, userId)
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.reset-second-step',
      target: { kind: 'member', id: userId, name: member.username },
    })
    const title = 'An admin reset your two-step sign-in'
    const message = 'Your passkeys and codes no longer work. Set up new ones in your settings.'
    await membersTold.raise({ db: transaction, userIds: [userId], title, message })
  })
}

/** @throws `not-found` when expired */
export async function readPasswordReset(
  deps: Pick<Context, 'db' | 'config' | 'arrival'>,
  { token }: { token: string },
): Promise<{ username: string }> {
  await requireHttps(deps)
  const { username } = await requirePasswordReset(deps.db, token)
  return { username }
}

/**
 * Requests a link to the address of the account with this name or address, if there is one. The account is looked up
 * when the email is written, so neither the answer nor its time reveals whether it exists.
 * @throws `too-many`, `not-found` on a site that sends no email
 */
export async function forgetPassword(
  { db, limits, log, address, mail }: Pick<Context, 'db' | 'limits' | 'log' | 'address' | 'mail'>,
  { name }: { name: string },
): Promise<void> {
  if (!mail) throw new AppError('not-found', 'This site sends no email. Ask an admin for a link.')
  await limits.passwordLinks.count(address)
  await mail.post(db, resetLetter, { userId: null, data: { name } })
  mail.wake()
  // The name is not logged, because it may be a password in the wrong field.
  log.info({ address }, 'password link asked for')
}

/**
 * Uses up the link; ends all sessions.
 * @throws `not-found` when expired, `invalid` for a password that is easily guessed
 */
export async function resetPassword(
  deps: Pick<Context, 'db' | 'log' | 'address' | 'config' | 'arrival' | 'mail'>,
  input: { token: string; password: string },
): Promise<void> {
  const { db, log, address, mail } = deps
  await requireHttps(deps)
  const account = await requirePasswordReset(db, input.token)
  await requireGoodPassword(db, { password: input.password, account })
  const password = await hashPassword(input.password)
  const userId = await inTransaction(db, async (transaction) => {
    // It may be used while the password is hashed.
    const { id, mailedTo } = await requirePasswordReset(transaction, input.token)
    await updateUser(transaction, { id, change: { password } })
    if (mailedTo !== null) await updateVerified(transaction, { userId: id, isVerified: true })
    await deleteSessions(transaction, { userId: id })
    await deleteStepsOf(transaction, id)
    await deletePasswordResets(transaction, id)
    await mail?.post(transaction, passwordChangedLetter, { userId: id, data: {} })
    return id
  })
  mail?.wake()
  log.info({ userId, address }, 'password set by link')
}

async function requirePasswordReset(db: Database, token: string) {
  const member = await findPasswordReset(db, digestOf(token))
  if (member) return member
  throw new AppError(
    'not-found',
    'This link was used before or is too old. Ask an admin for a new one.',
  )
}
