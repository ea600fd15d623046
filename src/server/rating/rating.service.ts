import type { ClearRating, Rate, RatingCounts } from '#shared/community.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { requireVisibleComment } from '../comment/comment.service.ts'
import type { Database } from '../db/database.ts'
import type { Flag } from '../db/schema.ts'
import type { LiveFeed } from '../notification/live-feed.ts'
import { notifyOfLike } from '../notification/notification.service.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import {
  addToCounts,
  deleteRating,
  findRating,
  findRatingCounts,
  type RatingKey,
  upsertRating,
} from './rating.queries.ts'

type Services = { db: Database; live: LiveFeed }

/**
 * Likes or dislikes a video or a comment. The same again changes nothing, the other one flips it.
 * @throws AppError `not-found` when the viewer cannot see the target.
 */
export async function rate(
  services: Services,
  input: Rate & { viewer: Viewer },
): Promise<RatingCounts> {
  return changeRating(services, { ...input, wanted: input.isLike ? 1 : 0 })
}

/** Takes a rating back; without one it changes nothing. */
export async function clearRating(
  services: Services,
  input: ClearRating & { viewer: Viewer },
): Promise<RatingCounts> {
  return changeRating(services, { ...input, wanted: undefined })
}

async function changeRating(
  { db, live }: Services,
  input: ClearRating & { viewer: Viewer; wanted: Flag | undefined },
): Promise<RatingCounts> {
  const { wanted, viewer } = input
  const { key, video } = await requireTarget(db, input)
  const told = await db.transaction().execute(async (transaction) => {
    const before = await findRating(transaction, key)
    if (before === wanted) return []
    if (wanted === undefined) await deleteRating(transaction, key)
    else await upsertRating(transaction, { ...key, isLike: wanted })
    await addToCounts(transaction, {
      key,
      likes: Number(wanted === 1) - Number(before === 1),
      dislikes: Number(wanted === 0) - Number(before === 0),
    })
    return video && wanted === 1 ? notifyOfLike(transaction, { actor: viewer, video }) : []
  })
  live.announce(told)
  return findRatingCounts(db, key)
}

async function requireTarget(db: Database, input: ClearRating & { viewer: Viewer }) {
  const { viewer, videoId, commentId } = input
  const userId = viewer.id
  if (videoId) {
    const video = await requireVideoOwner(db, { id: videoId, viewer })
    const key: RatingKey = { table: 'videos', column: 'videoId', targetId: videoId, userId }
    return { key, video }
  }
  const comment = await requireVisibleComment(db, { id: commentId ?? 0, viewer })
  const key: RatingKey = { table: 'comments', column: 'commentId', targetId: comment.id, userId }
  return { key, video: undefined }
}
