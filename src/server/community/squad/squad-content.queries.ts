import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { joinFound, readByIndex } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedVideo, isSquadVideo } from '#server/video/video/video.access.ts'
import { listVideosById, selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

type Asking = { squadId: number; viewer: Viewer }

const WEEK_MS = 7 * 86_400_000
/** How many likes of each member are read; a squad of 200 then takes some 6 ms on SQLite. */
const LIKES_OF_MEMBER = 20
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
 * viewer finds. Only the newest 20 likes of each member count.
 */
export async function listLovedBySquad(
  db: Database,
  { squadId, viewer }: Asking,
): Promise<Video[]> {
  const since = timestamp(new Date(Date.now() - WEEK_MS))
  const ids = sql`SELECT "likes"."id" FROM "likes" ${readByIndex('likedVideos')}
    WHERE "likes"."userId" = "squadMembers"."userId" AND "likes"."createdAt" >= ${since}
      AND "likes"."videoId" IS NOT NULL AND "likes"."isLike" = 1
    ORDER BY "likes"."createdAt" DESC, "likes"."videoId" DESC LIMIT ${LIKES_OF_MEMBER}`
  const { rows } = await sql<{ id: number }>`
    SELECT "videos"."id" FROM "squadMembers"
    ${joinFound({ table: 'likes', as: 'liked', ids })}
    JOIN "videos" ON "videos"."id" = "liked"."videoId"
    WHERE "squadMembers"."squadId" = ${squadId} AND ${isListedVideo(viewer)}
    GROUP BY "videos"."id" ORDER BY count(*) DESC, max("liked"."createdAt") DESC, "videos"."id" DESC
    LIMIT ${LOVED_SHOWN}`.execute(db)
  return listVideosById(db, { ids: rows.map(({ id }) => id), viewer })
}
