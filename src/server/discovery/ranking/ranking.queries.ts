import { type RawBuilder, sql } from 'kysely'
import { isPublicComment } from '#server/community/writing/writing.access.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { daysSince, joinFound, readByIndex } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedFor, isSquadVideo } from '#server/video/video/video.access.ts'
import { countOwnSquads } from '#server/video/video/video-squad.queries.ts'
import type { Category } from '#shared/limits.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'

const DAY_MS = 86_400_000
const RECENT_DAYS = 7
const CANDIDATES = 2000
const NEWEST_ACTS = 3000
/** Leaves enough where a viewer has hidden some. */
const RANKED_MAX = 200
/** Ranking so many takes some 4 ms on SQLite. */
const NEWEST_CLIPS = 2000
const NEWEST_OF_SQUADS = 200

export type RankingQuery = {
  /** `clips` ranks clips, of this week only unless a category is given. */
  by: 'trending' | 'loved' | 'clips'
  audience: Audience
  category?: Category | undefined
}

/** Best first, at most 200; `compared` counts videos. */
export type Ranking<Item> = { items: Item[]; compared: number }
export type RankedVideo = { id: number; points: number }
export type RankedTag = { tag: string; count: number }

export async function rankVideos(db: Database, query: RankingQuery): Promise<Ranking<RankedVideo>> {
  const { rows } = await RANKINGS[query.by](query).execute(db)
  const items = rows.map(({ id, points }) => ({ id, points }))
  return { items, compared: rows[0]?.compared ?? 0 }
}

/**
 * Ranks videos for the viewer's squads by the points that `rankVideos` gives. It reads the newest
 * 200, the same number from each squad. See docs/decisions/0072-squads.md.
 */
export async function rankSquadVideos(
  db: Database,
  {
    by,
    category,
    viewer,
  }: Omit<RankingQuery, 'audience' | 'by'> & { by: 'trending' | 'loved'; viewer: Viewer },
): Promise<RankedVideo[]> {
  const squads = await countOwnSquads(db, viewer.id)
  if (squads === 0) return []
  const since = recently()
  const ids = sql`SELECT "videos"."id" FROM "videos"
    WHERE "videos"."squadId" = "squadMembers"."squadId" AND ${isSquadVideo(viewer)}
    ORDER BY "videos"."publishedAt" DESC, "videos"."id" DESC LIMIT ${Math.ceil(NEWEST_OF_SQUADS / squads)}`
  const inCategory = category ? sql`AND "videos"."category" = ${category}` : sql``
  const ofVideo = sql`"videoId" = "videos"."id" AND "createdAt" >= ${since}`
  const likes = sql`(SELECT count(*) FROM "likes" WHERE ${ofVideo} AND "isLike" = 1)`
  const comments = sql`(SELECT count(*) FROM "comments" WHERE ${ofVideo} AND ${isPublicComment})`
  const views = sql`coalesce((
    SELECT sum("count") FROM "dailyViews" WHERE "videoId" = "videos"."id" AND "day" >= ${since.slice(0, 10)}
  ), 0)`
  const isRanked = by === 'trending' ? views : likes
  const points =
    by === 'trending' ? trendOf(sql`(${views} + 4 * ${likes} + 6 * ${comments})`) : likes
  const { rows } = await sql<RankedVideo>`
    SELECT "videos"."id", ${points} AS "points"
    FROM "squadMembers" ${joinFound({ table: 'videos', as: 'videos', ids })}
    WHERE "squadMembers"."userId" = ${viewer.id} AND ${isRanked} > 0 ${inCategory}
    ORDER BY "points" DESC, "videos"."id" DESC LIMIT ${RANKED_MAX}`.execute(db)
  return rows
}

/** Lets the points fall with the age of the video. */
const trendOf = (points: RawBuilder<unknown>) =>
  sql<number>`(${points} / pow(${daysSince(sql.ref('videos.publishedAt'))} + 2, 1.3))`

/** Among the newest 2,000 videos. */
export async function rankTags(db: Database, audience: Audience): Promise<Ranking<RankedTag>> {
  const { rows } = await sql<RankedTag & { compared: number }>`
    WITH "newest" AS (
      SELECT "id" FROM "videos" WHERE ${isListedFor(audience)}
      ORDER BY "publishedAt" DESC, "id" DESC LIMIT ${CANDIDATES}
    )
    SELECT "videoTags"."tag", count(*) AS "count", (SELECT count(*) FROM "newest") AS "compared"
    FROM "videoTags" WHERE "videoTags"."videoId" IN (SELECT "id" FROM "newest")
    GROUP BY "videoTags"."tag" ORDER BY "count" DESC, "videoTags"."tag" LIMIT ${RANKED_MAX}`.execute(
    db,
  )
  const items = rows.map(({ tag, count }) => ({ tag, count }))
  return { items, compared: rows[0]?.compared ?? 0 }
}

type Ranked = RawBuilder<RankedVideo & { compared: number }>

const RANKINGS = { trending: rankTrending, loved: rankLoved, clips: rankClips }

const recently = () => timestamp(new Date(Date.now() - RECENT_DAYS * DAY_MS))

/**
 * Score: views (1), likes (4) and comments (6) of the last 7 days, by (age in days + 2) ** 1.3.
 * Bounded to the 2,000 videos viewed last and the newest 3,000 likes and comments.
 */
function rankTrending({ audience, category }: RankingQuery): Ranked {
  const since = recently()
  const trend = trendOf(sql`"scored"."points"`)
  const inCategory = category ? sql`AND "videos"."category" = ${category}` : sql``
  const ofCategory = category
    ? sql`AND EXISTS (
        SELECT 1 FROM "videos" WHERE "videos"."id" = "dailyViews"."videoId" ${inCategory} AND ${isListedFor(audience)}
      )`
    : sql``
  return sql`
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
    SELECT "videos"."id", ${trend} AS "points", (SELECT count(*) FROM "scored") AS "compared"
    FROM "scored" JOIN "videos" ON "videos"."id" = "scored"."videoId"
    WHERE ${isListedFor(audience)} ${inCategory}
      AND EXISTS (
        SELECT 1 FROM "dailyViews"
        WHERE "dailyViews"."videoId" = "videos"."id" AND "dailyViews"."day" >= ${since.slice(0, 10)}
      )
    ORDER BY ${trend} DESC, "videos"."id" DESC
    LIMIT ${RANKED_MAX}`
}

/** Counts likes of the last 7 days, at most the newest 3,000. */
function rankLoved({ audience }: RankingQuery): Ranked {
  return sql`
    WITH "liked" AS (
      SELECT "videoId", count(*) AS "points" FROM (
        SELECT "videoId" FROM "likes" ${readByIndex('likesByTime')}
        WHERE "createdAt" >= ${recently()} AND "videoId" IS NOT NULL AND "isLike" = 1
        ORDER BY "createdAt" DESC LIMIT ${NEWEST_ACTS}
      ) AS "recent" GROUP BY "videoId"
    )
    SELECT "videos"."id", "liked"."points", (SELECT count(*) FROM "liked") AS "compared"
    FROM "liked" JOIN "videos" ON "videos"."id" = "liked"."videoId"
    WHERE ${isListedFor(audience)}
    ORDER BY "liked"."points" DESC, "videos"."id" DESC
    LIMIT ${RANKED_MAX}`
}

/** Ranks the newest 2,000 clips; a like gives 5 points and a view gives 1. */
function rankClips({ audience, category }: RankingQuery): Ranked {
  const which = category
    ? sql`"videos"."category" = ${category}`
    : sql`"newest"."createdAt" > ${recently()} AND "newest"."points" > 0`
  return sql`
    WITH "newest" AS (
      SELECT "id", "videoId", "userId", "createdAt", "likeCount" * 5 + "viewCount" AS "points"
      FROM "clips" ORDER BY "id" DESC LIMIT ${NEWEST_CLIPS}
    )
    SELECT "newest"."id", "newest"."points", (SELECT count(*) FROM "newest") AS "compared"
    FROM "newest" JOIN "videos" ON "videos"."id" = "newest"."videoId"
    JOIN "users" AS "makers" ON "makers"."id" = "newest"."userId"
    WHERE "makers"."bannedAt" IS NULL AND ${isListedFor(audience)} AND ${which}
    ORDER BY "newest"."points" DESC, "newest"."id" DESC
    LIMIT ${RANKED_MAX}`
}
