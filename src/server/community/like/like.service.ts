import { requireSelf } from '#server/account/user/user.access.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findLikeCounts, storeLike } from '#server/video/like/like.queries.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import type { ClearLike, LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'
import { announceComments, requireVisibleComment } from '../comment/comment.service.ts'
import { notifyOfLike } from '../notification/notification.service.ts'

/** Null removes it. Idempotent. Notifies the owner of a liked video. */
export async function changeLike(
  { db, live }: { db: Database; live: LiveFeed },
  input: ClearLike & { like: Like | null; viewer: Viewer },
): Promise<LikeCounts> {
  const { like, viewer, videoId, commentId } = input
  const { counts, notified, isNew, comment } = await inTransaction(db, async (transaction) => {
    const video = videoId
      ? await requireVideoOwner(transaction, { id: videoId, viewer })
      : undefined
    const comment = video
      ? undefined
      : await requireVisibleComment(transaction, { id: commentId ?? 0, viewer })
    requireSelf(viewer, input.userId)
    const target = video
      ? { kind: 'video' as const, id: video.id }
      : { kind: 'comment' as const, id: commentId ?? 0 }
    const key = { ...target, userId: viewer.id }
    const isNew = await storeLike(transaction, { ...key, like })
    return {
      isNew,
      comment,
      notified:
        video && isNew && like === 'like'
          ? await notifyOfLike(transaction, { actor: viewer, video })
          : [],
      counts: await findLikeCounts(transaction, key),
    }
  })
  live.announce(notified)
  if (isNew && videoId) live.videos.announce(videoId, 'likes')
  if (isNew && comment) announceComments(live, comment)
  return counts
}
