import { requireSelf } from '#server/account/user/user.access.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { ClearLike, LikeCounts, SetLike } from '#shared/schemas/community.schemas.ts'
import { requireVisibleComment } from '../comment/comment.service.ts'
import { notifyOfLike } from '../notification/notification.service.ts'
import {
  addToCounts,
  deleteLike,
  findLike,
  findLikeCounts,
  type LikeKey,
  upsertLike,
} from './like.queries.ts'

type Services = { db: Database; live: LiveFeed }

/**
 * Likes or dislikes a video or a comment. The same again changes nothing, the other one flips it.
 * @throws AppError `not-found` when the viewer cannot see the target, `forbidden` when `userId` is
 * another member's.
 */
export async function setLike(
  services: Services,
  input: SetLike & { viewer: Viewer },
): Promise<LikeCounts> {
  return changeLike(services, { ...input, wanted: input.isLike ? 1 : 0 })
}

/** Takes a like back; without one it changes nothing. */
export async function clearLike(
  services: Services,
  input: ClearLike & { viewer: Viewer },
): Promise<LikeCounts> {
  return changeLike(services, { ...input, wanted: undefined })
}

async function changeLike(
  { db, live }: Services,
  input: ClearLike & { viewer: Viewer; wanted: Flag | undefined },
): Promise<LikeCounts> {
  const { wanted, viewer } = input
  const { counts, notified } = await inTransaction(db, async (transaction) => {
    const { key, video } = await requireTarget(transaction, input)
    const changed = await storeLike(transaction, { key, wanted })
    const isLiked = video && changed && wanted === 1
    return {
      notified: isLiked ? await notifyOfLike(transaction, { actor: viewer, video }) : [],
      counts: await findLikeCounts(transaction, key),
    }
  })
  live.announce(notified)
  return counts
}

/** @returns false when the like was so before. */
async function storeLike(
  db: DatabaseTransaction,
  { key, wanted }: { key: LikeKey; wanted: Flag | undefined },
): Promise<boolean> {
  const before = await findLike(db, key)
  if (before === wanted) return false
  if (wanted === undefined) await deleteLike(db, key)
  else await upsertLike(db, { ...key, isLike: wanted })
  await addToCounts(db, {
    key,
    likes: Number(wanted === 1) - Number(before === 1),
    dislikes: Number(wanted === 0) - Number(before === 0),
  })
  return true
}

async function requireTarget(db: Database, input: ClearLike & { viewer: Viewer }) {
  const { viewer, videoId, commentId } = input
  const userId = viewer.id
  if (videoId) {
    const video = await requireVideoOwner(db, { id: videoId, viewer })
    requireSelf(viewer, input.userId)
    const key: LikeKey = { table: 'videos', column: 'videoId', targetId: videoId, userId }
    return { key, video }
  }
  const comment = await requireVisibleComment(db, { id: commentId ?? 0, viewer })
  requireSelf(viewer, input.userId)
  const key: LikeKey = { table: 'comments', column: 'commentId', targetId: comment.id, userId }
  return { key, video: undefined }
}
