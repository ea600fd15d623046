import { randomBytes } from 'node:crypto'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import { requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { RESUBMISSIONS_MAX } from '#shared/admin-limits.ts'
import type { EditVideo, Video } from '#shared/schemas/video.schemas.ts'
import {
  isLessVisible,
  type VideoLevel,
  type Visibility,
} from '#shared/schemas/visibility.schemas.ts'
import { requireEditable } from './video.access.ts'
import { videoAnonymized, videoPublished, videoUnlisted } from './video.events.ts'
import {
  findVideo,
  findVideoOwner,
  moveAddresses,
  updateVideo,
  type VideoChange,
} from './video.queries.ts'
import { deleteVideoMembers } from './video-members.queries.ts'
import { isMemberOfSquad } from './video-squad.queries.ts'

export const NO_SUCH_VIDEO = 'This video could not be found or is no longer available.'

export async function requireVideo(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
): Promise<Video> {
  const video = await findVideo(db, input)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return video
}

/** @throws `invalid` unless the member is in the squad */
export async function requireOwnSquad(
  db: Database,
  input: { squadId: number; userId: number },
): Promise<void> {
  if (await isMemberOfSquad(db, input)) return
  throw new AppError('invalid', 'You are not in this squad.')
}

export async function requireVideoOwner(
  db: Database,
  input: { id: number; viewer: Viewer | undefined },
) {
  const video = await findVideoOwner(db, input)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return video
}

/** Omitted fields stay. Anonymity retracts notifications that named the owner. */
export async function editVideo(
  { db, live }: { db: Database; live: LiveFeed },
  input: EditVideo & { viewer: Viewer },
): Promise<Video> {
  const { id, viewer, was, tags, isAnonymous, discordEmbed, commentsOff, ...others } = input
  const { allowsDownload, allowsClips, allowsClipVideos, allowsReactions, expiry, ...rest } = others
  const { visibility: _, squadId: __, ...texts } = rest
  const level = readLevel(input)
  const owned = await requireVideoOwner(db, { id, viewer })
  requireEditable(owned, viewer)
  await requireOpenCategory(db, input.category, { before: owned.category })
  const change: VideoChange = {
    ...texts,
    ...level,
    ...(tags && { tags: JSON.stringify(tags) }),
    ...(isAnonymous !== undefined && { isAnonymous: isAnonymous ? 1 : 0 }),
    ...(discordEmbed !== undefined && { discordEmbed: discordEmbed ? 1 : 0 }),
    ...(commentsOff !== undefined && { commentsOff: commentsOff ? 1 : 0 }),
    ...(allowsDownload !== undefined && { allowsDownload: allowsDownload ? 1 : 0 }),
    ...(allowsClips !== undefined && { allowsClips: allowsClips ? 1 : 0 }),
    ...(allowsClipVideos !== undefined && { allowsClipVideos: allowsClipVideos ? 1 : 0 }),
    ...(allowsReactions !== undefined && { allowsReactions: allowsReactions ? 1 : 0 }),
    ...(expiry !== undefined && {
      expiresAt: expiry?.at ?? null,
      expiryAction: expiry?.action ?? null,
      expiryNoticedAt: null,
    }),
  }
  const notified = await inTransaction(db, async (transaction) => {
    const before = await requireVideoOwner(transaction, { id, viewer })
    if (was) {
      const now = await requireVideo(transaction, { id, viewer })
      requireUnchanged({ now: { ...now, squadId: now.squad?.id ?? null }, wish: input, was })
    }
    const { squadId = null } = level
    if (squadId !== null && squadId !== before.squadId) {
      await requireOwnSquad(transaction, { squadId, userId: viewer.id })
    }
    if (Object.keys(change).length > 0) await updateVideo(transaction, { id, change })
    const { visibility = before.visibility } = level
    const after = { visibility, squadId: 'squadId' in level ? squadId : before.squadId }
    const isMoved = levelOf(after) !== levelOf(before) || after.squadId !== before.squadId
    const changed = isMoved ? await changeVisibility(transaction, { before, ...after }) : []
    if (!isAnonymous) return changed
    const anonymized = await videoAnonymized.raise({ db: transaction, videoId: id })
    return [...changed, ...anonymized.flat()]
  })
  live.announce(notified)
  live.videos.announce(id, 'access')
  return requireVideo(db, { id, viewer })
}

type Placed = { visibility: Visibility; squadId: number | null }

const LISTED: VideoLevel[] = ['public', 'members', 'squad']

const levelOf = ({ visibility, squadId }: Placed): VideoLevel =>
  visibility === 'private' && squadId !== null ? 'squad' : visibility

/** @throws `invalid` for a squad with a level other than `private` */
function readLevel({ visibility, squadId }: Pick<EditVideo, 'visibility' | 'squadId'>) {
  if (squadId !== undefined && squadId !== null) {
    if (visibility === undefined || visibility === 'private') {
      return { visibility: 'private' as const, squadId }
    }
    throw new AppError('invalid', 'A video for a squad is private to everybody else.')
  }
  if (visibility !== undefined) return { visibility, squadId: null }
  return squadId === null ? { squadId } : {}
}

/**
 * Lower visibility gives files new addresses, as caches have the old ones, and retracts
 * notifications to followers, which the first listing sends. A squad replaces the named members.
 * @returns members to notify live
 */
export async function changeVisibility(
  db: DatabaseTransaction,
  input: { before: { id: number; userId: number } & Placed } & Placed,
): Promise<number[]> {
  const { before, ...after } = input
  const { id } = before
  // Otherwise a video that leaves its squad would be visible again to members named before.
  if (before.squadId !== null || after.squadId !== null) await deleteVideoMembers(db, id)
  const level = levelOf(after)
  if (isLessVisible(levelOf(before), level)) {
    await moveAddresses(db, { id, addressKey: randomBytes(16).toString('hex') })
  }
  const wasListed = LISTED.includes(levelOf(before))
  const isListed = LISTED.includes(level)
  const isAnew = level === 'squad' && levelOf(before) === 'squad'
  // A listed video that moves to a squad is unlisted for all others; followers in the squad were
  // notified when it was published, except those of another squad.
  const isTakenBack = !isListed || (level === 'squad' && wasListed)
  const hidden = isTakenBack ? (await videoUnlisted.raise({ db, videoId: id })).flat() : []
  if (isTakenBack && !isAnew) return hidden
  const owner: Viewer = { id: before.userId, username: '', displayName: '', isAdmin: false }
  const video = await findVideoOwner(db, { id, viewer: owner })
  if (video?.isPublished !== 1) return hidden
  return [...hidden, ...(await videoPublished.raise({ db, video, isAnew })).flat()]
}

/** @throws `conflict` when not rejected, `too-many` */
export async function resubmitVideo(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<Video> {
  const { id, viewer } = input
  await inTransaction(db, async (transaction) => {
    const video = await requireVideoOwner(transaction, input)
    requireEditable(video, viewer)
    const isRejected =
      video.contentApproved === 0 && video.rejectionReason !== null && video.withheld === null
    if (!isRejected) {
      throw new AppError('conflict', 'Only a video that was rejected can be sent in again.')
    }
    const count = video.resubmissionCount + 1
    if (count > RESUBMISSIONS_MAX) {
      throw new AppError(
        'too-many',
        `This video was sent in again ${RESUBMISSIONS_MAX} times, and rejected each time.`,
      )
    }
    await updateVideo(transaction, {
      id,
      change: { rejectionReason: null, resubmissionCount: count },
    })
    const target = { kind: 'video', id, name: video.title } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'video.resubmit', target })
  })
  return requireVideo(db, input)
}
