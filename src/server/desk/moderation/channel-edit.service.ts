import { requireMember } from '#server/account/member/member.service.ts'
import { removePicture } from '#server/account/settings/settings.service.ts'
import { type ProfileChange, updateUser } from '#server/account/user/user.queries.ts'
import { requireUser } from '#server/account/user/user.service.ts'
import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { EditChannel } from '#shared/schemas/desk/moderation.schemas.ts'
import type { User } from '#shared/schemas/user.schemas.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'live' | 'media'>

/** @throws `conflict` for another admin, or without a change */
export async function editChannel(
  deps: Deps,
  input: EditChannel & { viewer: Viewer },
): Promise<void> {
  const { db, live } = deps
  const { userId, reason, viewer } = input
  const member = await requireMember(db, userId)
  if (member.isAdmin === 1 && userId !== viewer.id) {
    throw new AppError('conflict', 'This member is an admin. Remove role from them first.')
  }
  const pictures = await inTransaction(db, async (transaction) => {
    const channel = await requireUser(transaction, { id: userId, viewer })
    const { change, notes, ...others } = changesOf(channel, input)
    requireUnchanged({ now: channel, wish: change, was: input.was })
    if (notes.length === 0) throw new AppError('conflict', 'There is nothing to change.')
    const what = `${reason} (${notes.join(', ')})`
    await updateUser(transaction, { id: userId, change })
    const target = { kind: 'member', id: userId, name: member.username } as const
    await insertAuditEntry(transaction, {
      ...{ actor: viewer, action: 'member.edit', target, reason: what },
    })
    if (userId === viewer.id) return others.pictures
    const notice = { type: 'comment', title: 'Your channel was edited', message: what } as const
    await insertNotifications(transaction, [{ userId, ...notice, sourceUserId: viewer.id }])
    return others.pictures
  })
  for (const kind of pictures) await removePicture(deps, { kind, viewer: { id: userId } })
  live.announce([userId])
}

function changesOf(channel: User, wish: EditChannel) {
  const { displayName, bio, removesAvatar, removesBanner } = wish
  const change: Pick<ProfileChange, 'displayName' | 'bio'> = {}
  const pictures: ('avatar' | 'banner')[] = []
  const notes: string[] = []
  if (displayName !== undefined && displayName !== channel.displayName) {
    change.displayName = displayName
    notes.push(`name: "${displayName}"`)
  }
  if (bio !== undefined && bio !== (channel.bio ?? '')) {
    change.bio = bio || null
    notes.push('another bio')
  }
  if (removesAvatar && channel.avatarUrl) {
    pictures.push('avatar')
    notes.push('no avatar')
  }
  if (removesBanner && channel.bannerUrl) {
    pictures.push('banner')
    notes.push('no banner')
  }
  return { change, pictures, notes }
}
