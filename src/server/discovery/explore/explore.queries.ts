import { sql } from 'kysely'
import { isPublicComment } from '#server/community/writing/writing.access.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { daysSince, eachText, readByIndex } from '#server/platform/db/expressions.ts'
import { listCategories } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedVideo } from '#server/video/video/video.access.ts'
import { isNotHidden, listVideosById } from '#server/video/video/video.queries.ts'
import type { Category } from '#shared/limits.ts'

const DAY_MS = 86_400_000
const RECENT_DAYS = 7
const CANDIDATES = 2000
const NEWEST_ACTS = 3000

/**
 * Score: views (1), likes (4) and comments (6) of the last 7 days, by (age in days + 2) ** 1.3.
 * Bounded to the 2,000 videos viewed last and the newest 3,000 likes and comments.
 */
export async function listTrendingVideos(
  db: Database,
  input: { viewer: Viewer | undefined; limit: number; category?: Category | undefined },
) {
  const since = timestamp(new Date(Date.now() - RECENT_DAYS * DAY_MS))
  const inCategory = input.category ? sql`AND "videos"."category" = ${input.category}` : sql``
  const ofCategory = input.category
    ? sql`AND EXISTS (
        SELECT 1 FROM "videos" WHERE "videos"."id" = "dailyViews"."videoId" ${inCategory} AND ${isListedVideo(input.viewer)}
      )`
    : sql``
  const { rows } = await sql<{ id: number }>`
    WITH "viewed" AS (
      SELECT +"videoId" AS "id", sum("count") AS "points" FROM "dailyViews"
      WHERE "day" >= ${since.slice(0, 10)} ${ofCategory}
      -- The plus keeps the whole table from being read in the order of another index.
      GROUP BY "id" ORDER BY "points" DESC LIMIT ${CANDIDATES}
    ),
    "liked" AS (
      SELECT "videoId", count(*) * 4 AS "points" FROM (
        SELECT "videoId" FROM "likes" ${readByIndex('likesByTime')}
        WHERE "createdAt" >= ${since} AND "videoId" IS NOT NULL AND "isLike" = 1
        ORDER BY "createdAt" DESC LIMIT ${NEWEST_ACTS}
      ) AS "recent" GROUP BY "videoId"
    ),
    "discussed" AS (
      SELECT "videoId", count(*) * 6 AS "points" FROM (
        SELECT "videoId" FROM "comments" ${readByIndex('commentsByTime')}
        WHERE "createdAt" >= ${since} AND "videoId" IS NOT NULL AND ${isPublicComment}
        ORDER BY "createdAt" DESC LIMIT ${NEWEST_ACTS}
      ) AS "recent" GROUP BY "videoId"
    ),
    "scored" AS (
      SELECT "videoId", sum("points") AS "points" FROM (
        SELECT "id" AS "videoId", "points" FROM "viewed" UNION ALL SELECT * FROM "liked"
        UNION ALL SELECT * FROM "discussed"
      ) AS "acts" GROUP BY "videoId"
    )
    SELECT "videos"."id" FROM "scored" JOIN "videos" ON "videos"."id" = "scored"."videoId"
    WHERE ${isListedVideo(input.viewer)} AND ${isNotHidden(input.viewer)} ${inCategory}
      AND EXISTS (
        SELECT 1 FROM "dailyViews"
        WHERE "dailyViews"."videoId" = "videos"."id" AND "dailyViews"."day" >= ${since.slice(0, 10)}
      )
    ORDER BY
      "scored"."points" / pow(${daysSince(sql.ref('videos.publishedAt'))} + 2, 1.3) DESC,
      "videos"."id" DESC
    LIMIT ${input.limit}`.execute(db)
  return listVideosById(db, { ids: rows.map((row) => row.id), viewer: input.viewer })
}

/** Counts likes of the last 7 days, at most the newest 3,000. */
export async function listLovedVideos(
  db: Database,
  input: { viewer: Viewer | undefined; limit: number },
) {
  const since = timestamp(new Date(Date.now() - RECENT_DAYS * DAY_MS))
  const { rows } = await sql<{ id: number }>`
    WITH "liked" AS (
      SELECT "videoId" FROM "likes" ${readByIndex('likesByTime')}
      WHERE "createdAt" >= ${since} AND "videoId" IS NOT NULL AND "isLike" = 1
      ORDER BY "createdAt" DESC LIMIT ${NEWEST_ACTS}
    )
    SELECT "videos"."id" FROM "liked" JOIN "videos" ON "videos"."id" = "liked"."videoId"
    WHERE ${isListedVideo(input.viewer)} AND ${isNotHidden(input.viewer)}
    GROUP BY "videos"."id" ORDER BY count(*) DESC, "videos"."id" DESC
    LIMIT ${input.limit}`.execute(db)
  return listVideosById(db, { ids: rows.map((row) => row.id), viewer: input.viewer })
}

export async function findPinned(db: Database, viewer: Viewer | undefined) {
  const row = await db
    .selectFrom('siteSettings')
    .leftJoin('videos', (join) =>
      join.onRef('videos.id', '=', 'siteSettings.pinnedVideoId').on(isListedVideo(viewer)),
    )
    .select(['siteSettings.notice', 'videos.id'])
    .where('siteSettings.id', '=', 1)
    .executeTakeFirstOrThrow()
  const [video] = await listVideosById(db, { ids: row.id === null ? [] : [row.id], viewer })
  return { notice: row.notice, video: video ?? null }
}

/** The first admin; undefined once `viewer` finds a video. */
export async function findHost(db: Database, viewer: Viewer | undefined) {
  const admin = await db
    .selectFrom('users')
    .select(['id', 'displayName'])
    .where('isAdmin', '=', 1)
    .where('bannedAt', 'is', null)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM "videos" WHERE ${isListedVideo(viewer)})`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return admin ?? null
}

/** Among the newest 2,000 videos. */
export async function listPopularTags(
  db: Database,
  { viewer, limit }: { viewer: Viewer | undefined; limit: number },
) {
  const { rows } = await sql<{ tag: string; count: number }>`
    SELECT "videoTags"."tag", count(*) AS "count" FROM "videoTags"
    WHERE "videoTags"."videoId" IN (
      SELECT "id" FROM "videos" WHERE ${isListedVideo(viewer)}
      ORDER BY "publishedAt" DESC, "id" DESC LIMIT ${CANDIDATES}
    )
    GROUP BY "videoTags"."tag" ORDER BY "count" DESC, "videoTags"."tag" LIMIT ${limit}`.execute(db)
  return rows
}

export async function listGames(db: Database, viewer: Viewer | undefined) {
  const categories = await listCategories(db)
  const { rows } = await sql<{ name: Category; videoCount: number; pictureUrl: string | null }>`
    SELECT "game"."value" AS "name",
      coalesce((SELECT "publicVideos" FROM "categoryTotals" WHERE "category" = "game"."value"), 0)
        AS "videoCount",
      (SELECT coalesce("cardUrl", "thumbnailUrl") FROM "videos" WHERE "videos"."category" = "game"."value" AND ${isListedVideo(viewer)}
        ORDER BY "publishedAt" DESC, "id" DESC LIMIT 1) AS "pictureUrl"
    FROM ${eachText(categories)} AS "game" ORDER BY "game"."key"`.execute(db)
  return rows
}
