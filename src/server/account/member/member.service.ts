import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { SetQuota } from '#shared/schemas/desk/member.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { deleteSessions } from '../auth/auth.queries.ts'
import { hashPassword } from '../auth/password.ts'
import { requireHttps } from '../auth/required-https.ts'
import { deleteStepsOf } from '../auth/sign-in-step.queries.ts'
import { updateVerified } from '../email/email.queries.ts'
import { passwordChangedLetter } from '../email/email-letters.ts'
import { requireGoodPassword } from '../new-password/new-password.service.ts'
import { updateUser } from '../user/user.queries.ts'
import {
  deletePasswordResets,
  findMember,
  findPasswordReset,
  updateQuota,
} from './member.queries.ts'
import { resetLetter } from './reset-letter.ts'

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
