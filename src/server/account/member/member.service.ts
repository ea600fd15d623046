import { createHash, randomBytes } from 'node:crypto'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ActiveSession, Viewer } from '#server/platform/viewer.ts'
import { RESET_HOURS } from '#shared/admin-limits.ts'
import type { SetQuota } from '#shared/schemas/desk/member.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { deleteSessions } from '../auth/auth.queries.ts'
import { hashPassword } from '../auth/password.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { membersTold } from '../second-factor/second-factor.events.ts'
import { removeFactors } from '../second-factor/second-factor.service.ts'
import { updateUser } from '../user/user.queries.ts'
import {
  deletePasswordResets,
  findMember,
  findPasswordReset,
  replacePasswordReset,
  updateQuota,
} from './member.queries.ts'

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
    await replacePasswordReset(transaction, { tokenHash: digest(token), userId, expiresAt })
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
  { db, live }: Pick<Context, 'db' | 'live'>,
  input: { userId: number; viewer: Viewer; session: ActiveSession },
): Promise<void> {
  const { userId, viewer, session } = input
  await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    await deleteSessions(transaction, { userId, except: session.id })
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.end-sessions',
      target: { kind: 'member', id: userId, name: member.username },
    })
  })
  live.announce([userId])
}

/**
 * For a member who lost it. Ends their sessions.
 * @param input.viewer null for a command
 * @throws `conflict` for oneself, and for a member who has none
 */
export async function resetSecondFactor(
  db: Database,
  input: { userId: number; viewer: Viewer | null },
): Promise<void> {
  const { userId, viewer } = input
  if (userId === viewer?.id) {
    const sentence =
      'You cannot reset your own second step. Use a recovery code, or ask another admin.'
    throw new AppError('conflict', sentence)
  }
  await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    if (!(await removeFactors(transaction, userId))) {
      throw new AppError('conflict', 'This member has no second step.')
    }
    await deleteSessions(transaction, { userId })
    await deleteStepsOf(transaction, userId)
    await insertAuditEntry(transaction, {
      actor: viewer,
      action: 'member.reset-second-step',
      target: { kind: 'member', id: userId, name: member.username },
    })
    const title = 'An admin reset your second step'
    const message = 'Your passkeys and codes no longer work. Set up new ones in your settings.'
    await membersTold.raise({ db: transaction, userIds: [userId], title, message })
  })
}

/** @throws `not-found` when expired */
export async function readPasswordReset(
  db: Database,
  { token }: { token: string },
): Promise<{ username: string }> {
  const { username } = await requirePasswordReset(db, token)
  return { username }
}

/**
 * Uses up the link; ends all sessions.
 * @throws `not-found` when expired
 */
export async function resetPassword(
  { db, log, address }: Pick<Context, 'db' | 'log' | 'address'>,
  input: { token: string; password: string },
): Promise<void> {
  await requirePasswordReset(db, input.token)
  const password = await hashPassword(input.password)
  const userId = await inTransaction(db, async (transaction) => {
    // It may be used while the password is hashed.
    const { id } = await requirePasswordReset(transaction, input.token)
    await updateUser(transaction, { id, change: { password } })
    await deleteSessions(transaction, { userId: id })
    await deleteStepsOf(transaction, id)
    await deletePasswordResets(transaction, id)
    return id
  })
  log.info({ userId, address }, 'password set by link')
}

async function requirePasswordReset(db: Database, token: string) {
  const member = await findPasswordReset(db, digest(token))
  if (member) return member
  throw new AppError(
    'not-found',
    'This link was used before or is too old. Ask an admin for a new one.',
  )
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
