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

/** Names taken off again count too: each was a notification. */
const NAMES_MAX = 50

/**
 * Names a member who played along in one's own video, and notifies them the first time.
 * @throws AppError `not-found`; `forbidden` for another member's video; `invalid` for oneself;
 * `conflict` when there are enough, or the member took their name off
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
 * Names those who played along in a video that has just been made. Whoever is gone, banned or the owner is left out.
 * @returns whom to tell
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
  // The upload was being finished while its owner was shut out.
  if (!owner) return []
  const players = members.filter((member) => member !== owner)
  for (const { id: userId } of players) {
    await saveParticipant(db, { videoId: video.id, userId, state: 'named' })
    await insertParticipantNotification(db, { video, userId, owner })
  }
  return players.map(({ id }) => id)
}

/**
 * Takes a name off a video: its owner does, or the member, whom the owner cannot name there again.
 * @throws AppError `not-found`, also when the member is not named; `forbidden` for anybody else
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
