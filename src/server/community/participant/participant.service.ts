import { listUsersById } from '#server/account/user/user.queries.ts'
import { requireUser } from '#server/account/user/user.service.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireEditable } from '#server/video/video/video.access.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { PARTICIPANTS_MAX } from '#shared/limits.ts'
import {
  deleteParticipantNotification,
  insertParticipantNotification,
} from '../notification/participant-notification.queries.ts'
import { listParticipantStates, saveParticipant } from './participant.queries.ts'

type Services = { db: Database; live: LiveFeed }
type Act = { videoId: number; userId: number; viewer: Viewer }

/** With removed names: each was a notification. */
const NAMES_MAX = 50

/**
 * Notifies the member the first time.
 * @throws `invalid` for oneself; `conflict` at the limit, or when the member removed the name
 */
export async function nameParticipant({ db, live }: Services, input: Act): Promise<void> {
  const { videoId, userId, viewer } = input
  const video = await requireVideoOwner(db, { id: videoId, viewer })
  requireEditable(video, viewer)
  const member = await requireUser(db, { id: userId, viewer: undefined })
  if (userId === viewer.id) {
    throw new AppError('invalid', 'Name others: the video is yours already.')
  }
  const notified = await inTransaction(db, async (transaction) => {
    const names = await listParticipantStates(transaction, videoId)
    const state = names.find((one) => one.userId === userId)?.state
    if (state === 'named') return []
    if (state === 'left') {
      throw new AppError('conflict', `@${member.username} took their name off this video.`)
    }
    if (names.filter((one) => one.state === 'named').length >= PARTICIPANTS_MAX) {
      throw new AppError('conflict', `A video names at most ${PARTICIPANTS_MAX} members.`)
    }
    if (state === undefined && names.length >= NAMES_MAX) {
      throw new AppError('conflict', 'Too many names were put on this video and taken off again.')
    }
    await saveParticipant(transaction, { videoId, userId, state: 'named' })
    if (state !== undefined) return []
    await insertParticipantNotification(transaction, { video, userId, owner: viewer })
    return [userId]
  })
  live.announce(notified)
}

/**
 * Skips the owner and members who are gone or banned.
 * @returns users to notify
 */
export async function namePlayers(
  db: DatabaseTransaction,
  input: {
    video: { id: number; title: string; userId: number; isAnonymous: Flag }
    userIds: readonly number[]
  },
): Promise<number[]> {
  const { video } = input
  const members = await listUsersById(db, [video.userId, ...input.userIds])
  const owner = members.find(({ id }) => id === video.userId)
  // Banned while the upload was being completed.
  if (!owner) return []
  const players = members.filter((member) => member !== owner)
  for (const { id: userId } of players) {
    await saveParticipant(db, { videoId: video.id, userId, state: 'named' })
    await insertParticipantNotification(db, { video, userId, owner })
  }
  return players.map(({ id }) => id)
}

/**
 * Called by the owner, or by the participant, whom the owner cannot name again.
 * @throws `not-found`, also when not named; `forbidden` for anyone else
 */
export async function removeParticipant({ db, live }: Services, input: Act): Promise<void> {
  const { videoId, userId, viewer } = input
  const video = await requireVideoOwner(db, { id: videoId, viewer })
  const isOwn = userId === viewer.id
  if (!isOwn) requireEditable(video, viewer)
  await inTransaction(db, async (transaction) => {
    const names = await listParticipantStates(transaction, videoId)
    if (!names.some((one) => one.userId === userId && one.state === 'named')) {
      throw new AppError('not-found', 'The video does not name this member.')
    }
    const state = isOwn ? ('left' as const) : ('removed' as const)
    await saveParticipant(transaction, { videoId, userId, state })
    await deleteParticipantNotification(transaction, { videoId, userId })
  })
  live.announce([userId])
}
