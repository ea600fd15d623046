import type { PageInput } from '#shared/field.schemas.ts'
import type { Category } from '#shared/limits.ts'
import { containsText } from '../audit/audit.queries.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { decodeCursor, toPage } from '../db/paging.ts'
import { isPublicVideo, isVisibleVideo } from './video.access.ts'
import { isNotHidden, selectVideos, toVideo, waitsForApproval } from './video.queries.ts'

type Asking = { viewer: Viewer | undefined }

/** Public videos, newest first, of one category or of all. */
export async function listVideos(
  db: Database,
  input: PageInput & Asking & { category?: Category | undefined },
) {
  let query = selectVideos(db, input).where(isPublicVideo).where(isNotHidden(input.viewer))
  if (input.category) query = query.where('videos.category', '=', input.category)
  return pageOf(query, input)
}

/** Public videos of the channels a member follows, newest first; anonymous ones have no channel. */
export async function listSubscribedVideos(db: Database, input: PageInput & { viewer: Viewer }) {
  const query = selectVideos(db, input)
    .where(isPublicVideo)
    .where('videos.isAnonymous', '=', 0)
    .where((eb) =>
      eb(
        'videos.userId',
        'in',
        eb
          .selectFrom('subscriptions')
          .select('channelId')
          .where('subscriberId', '=', input.viewer.id),
      ),
    )
  return pageOf(query, input)
}

/** Videos that wait for an admin's word, the oldest first. */
export async function listVideosToApprove(
  db: Database,
  input: PageInput & { q?: string | undefined; viewer: Viewer },
) {
  let query = selectVideos(db, input).where(waitsForApproval)
  if (input.q) {
    query = query.where(
      containsText(['videos.title', 'users.displayName', 'users.username'], input.q),
    )
  }
  query = query
    .where(isVisibleVideo(input.viewer))
    .orderBy('videos.publishedAt')
    .orderBy('videos.id')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '>', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}

/** Public videos a member likes, the latest liked first. */
export async function listLikedVideos(db: Database, input: PageInput & { viewer: Viewer }) {
  let query = selectVideos(db, input)
    .innerJoin('likes', 'likes.videoId', 'videos.id')
    .select('likes.createdAt as likedAt')
    .where('likes.userId', '=', input.viewer.id)
    .where('likes.isLike', '=', 1)
    .where(isVisibleVideo(input.viewer))
    .orderBy('likes.createdAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('likes.createdAt', 'videos.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.likedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}

async function pageOf(query: ReturnType<typeof selectVideos>, input: PageInput & Asking) {
  let paged = query
    .orderBy('videos.publishedAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(input.limit + 1)
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    paged = paged.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await paged.execute(), input.limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, input.viewer),
  })
}
