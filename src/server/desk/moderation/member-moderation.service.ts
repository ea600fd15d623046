import { requireMember } from '#server/account/member/member.service.ts'
import { listOpenUploadIds } from '#server/account/settings/settings.queries.ts'
import { countOtherAdmins } from '#server/account/user/user.queries.ts'
import {
  hideCommentsOf,
  showCommentsOf,
} from '#server/community/comment/banned-comments.service.ts'
import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { leaveAllSquads, returnToSquads } from '#server/community/squad/squad.service.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { expireUpload } from '#server/video/upload/upload.service.ts'
import { BAN_REVERSIBLE_DAYS } from '#shared/admin-limits.ts'
import type { BanConsequences } from '#shared/schemas/desk/moderation.schemas.ts'
import { removeAccount } from '../account-deletion/account-deletion.service.ts'
import {
  countBanConsequences,
  listMembersBannedBefore,
  resolveReportsAbout,
  updateBanned,
  updateIsAdmin,
  updateUnbanned,
  wasBannedBefore,
} from './moderation.queries.ts'
import type { Services } from './moderation.service.ts'

type Action = { userId: number; reason: string; viewer: Viewer }

const DAY_MS = 86_400_000

/** @throws `conflict` for the last admin */
export async function setAdmin(
  db: Database,
  input: { userId: number; isAdmin: boolean; viewer: Viewer },
): Promise<void> {
  const { userId, isAdmin, viewer } = input
  if (!isAdmin && userId === viewer.id) {
    throw new AppError('conflict', 'You cannot take the admin role from yourself.')
  }
  await inTransaction(db, async (transaction) => {
    // Two admins may demote each other at once.
    if (!isAdmin && (await countOtherAdmins(transaction, userId)) === 0) {
      throw new AppError('conflict', 'A site needs an admin.')
    }
    const member = await requireMember(transaction, userId)
    if (isAdmin && member.bannedAt !== null) {
      throw new AppError('conflict', 'This member is banned. Lift the ban first.')
    }
    await updateIsAdmin(transaction, input)
    const action = isAdmin ? 'member.make-admin' : 'member.unmake-admin'
    const target = { kind: 'member', id: userId, name: member.username } as const
    await insertAuditEntry(transaction, { actor: viewer, action, target })
  })
}

/** @throws `conflict` for oneself */
export async function warnMember({ db, live }: Services, input: Action): Promise<void> {
  const { userId, reason, viewer } = input
  await inTransaction(db, async (transaction) => {
    const member = await requireOther(transaction, { userId, viewer, act: 'warn' })
    await insertNotifications(transaction, [
      {
        userId,
        type: 'comment',
        title: 'A warning from the people who run this site',
        message: reason,
        sourceUserId: viewer.id,
      },
    ])
    await recordAction(transaction, { ...input, username: member.username, action: 'member.warn' })
  })
  live.announce([userId])
}

/**
 * Ends sessions and hides all content, reversibly. With `deletesContent` the account is deleted
 * after 30 days.
 * @throws `conflict` for oneself, an admin or a banned member
 */
export async function banMember(
  deps: Services & Pick<AppDeps, 'disk' | 'media'>,
  input: Action & { deletesContent: boolean },
): Promise<void> {
  const { db, live } = deps
  const { userId, reason, viewer, deletesContent } = input
  const notified = await inTransaction(db, async (transaction) => {
    const member = await requireOther(transaction, { userId, viewer, act: 'ban' })
    if (member.isAdmin === 1) {
      throw new AppError('conflict', 'This member is an admin. Remove role from them first.')
    }
    if (member.bannedAt !== null) throw new AppError('conflict', 'This member is banned already.')
    await updateBanned(transaction, { userId, reason, deletesContent })
    await hideCommentsOf(transaction, userId)
    const heirs = await leaveAllSquads(transaction, { userId, keepsOwn: true })
    await recordAction(transaction, { ...input, username: member.username, action: 'member.ban' })
    return heirs
  })
  for (const id of await listOpenUploadIds(db, userId)) await expireUpload(deps, id)
  live.announce([userId, ...notified])
}

export async function readBanConsequences(db: Database, userId: number): Promise<BanConsequences> {
  const member = await requireMember(db, userId)
  return {
    isBanned: member.bannedAt !== null,
    isAdmin: member.isAdmin === 1,
    ...(await countBanConsequences(db, userId)),
    uploads: (await listOpenUploadIds(db, userId)).length,
  }
}

/** @throws `conflict` when not banned */
export async function unbanMember(
  { db }: Services,
  input: { userId: number; viewer: Viewer },
): Promise<void> {
  const { userId, viewer } = input
  await inTransaction(db, async (transaction) => {
    const member = await requireMember(transaction, userId)
    if (member.bannedAt === null) throw new AppError('conflict', 'This member is not banned.')
    await updateUnbanned(transaction, userId)
    await showCommentsOf(transaction, userId)
    await returnToSquads(transaction, userId)
    const target = { kind: 'member', id: userId, name: member.username } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'member.unban', target })
  })
}

export async function removeBannedMembers(
  deps: Parameters<typeof removeAccount>[0],
  now: Date = new Date(),
): Promise<void> {
  const since = new Date(now.getTime() - BAN_REVERSIBLE_DAYS * DAY_MS)
  for (const { id, username } of await listMembersBannedBefore(deps.db, since)) {
    const target = { kind: 'member', id, name: username } as const
    const reason = `Banned for more than ${BAN_REVERSIBLE_DAYS} days.`
    await removeAccount(deps, {
      userId: id,
      withComments: true,
      within: async (transaction) => {
        // The ban may be lifted meanwhile.
        if (!(await wasBannedBefore(transaction, { userId: id, time: since }))) return false
        await insertAuditEntry(transaction, {
          actor: null,
          action: 'member.expire',
          target,
          reason,
        })
        return true
      },
    })
  }
}

async function recordAction(
  db: Database,
  input: Action & { username: string; action: 'member.warn' | 'member.ban' },
): Promise<void> {
  const { userId, reason, viewer, username, action } = input
  await resolveReportsAbout(db, { column: 'channelId', id: userId, closedBy: viewer.id })
  const target = { kind: 'member', id: userId, name: username } as const
  await insertAuditEntry(db, { actor: viewer, action, target, reason })
}

async function requireOther(
  db: Database,
  input: { userId: number; viewer: Viewer; act: 'warn' | 'ban' },
) {
  if (input.userId === input.viewer.id) {
    throw new AppError('conflict', `You cannot ${input.act} yourself.`)
  }
  return requireMember(db, input.userId)
}
