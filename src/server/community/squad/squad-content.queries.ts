import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { readByIndex } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedVideo, isSquadVideo } from '#server/video/video/video.access.ts'
import { listVideosById, selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

type Asking = { squadId: number; viewer: Viewer }

const WEEK_MS = 7 * 86_400_000
const NEWEST_LIKES = 1000
const LOVED_SHOWN = 6

/** Lists the videos for the squad. The list is empty for a viewer who is not a member. */
export async function listVideosOfSquad(
  db: Database,
  { squadId, viewer, limit, cursor }: Asking & PageInput,
): Promise<Page<Video>> {
  let query = selectVideos(db, { viewer })
    .where('videos.squadId', '=', squadId)
    .where(isSquadVideo(viewer))
    .orderBy('videos.publishedAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const { time, id } = decodeCursor(cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => toVideo(row, viewer),
  })
}

/**
 * Lists the videos, for the squad or not, that its members liked in the last seven days and the
 * viewer finds. Only the newest 1,000 likes of the site count.
 */
export async function listLovedBySquad(
  db: Database,
  { squadId, viewer }: Asking,
): Promise<Video[]> {
  const since = timestamp(new Date(Date.now() - WEEK_MS))
  const { rows } = await sql<{ id: number }>`
    WITH "liked" AS (
      SELECT "videoId", "userId", "createdAt" FROM "likes" ${readByIndex('likesByTime')}
      WHERE "createdAt" >= ${since} AND "videoId" IS NOT NULL AND "isLike" = 1
      ORDER BY "createdAt" DESC LIMIT ${NEWEST_LIKES}
    )
    SELECT "videos"."id" FROM "liked"
    JOIN "squadMembers" ON "squadMembers"."squadId" = ${squadId} AND "squadMembers"."userId" = "liked"."userId"
    JOIN "videos" ON "videos"."id" = "liked"."videoId"
    WHERE ${isListedVideo(viewer)}
    GROUP BY "videos"."id" ORDER BY count(*) DESC, max("liked"."createdAt") DESC, "videos"."id" DESC
    LIMIT ${LOVED_SHOWN}`.execute(db)
  return listVideosById(db, { ids: rows.map(({ id }) => id), viewer })
}
