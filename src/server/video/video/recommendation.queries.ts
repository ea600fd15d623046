import { sql } from 'kysely'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { Database } from '#server/platform/db/database.ts'
import { daysSince, greaterOf, joinFound, lesserOf } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { RecommendedVideo } from '#shared/schemas/video.schemas.ts'
import { isListedVideo } from './video.access.ts'
import { isNotHidden, listVideosById } from './video.queries.ts'

const NEWEST_OF_GAME = 200
const NEWEST_OF_TAG = 50
const NEWEST_OF_CHANNEL = 50
const NEWEST_OF_ALL = 100
const FOLLOWERS = 100
/** Hides what single viewers watched next. */
const OFTEN_NEXT = 3

type Wanted = { id: number; viewer: Viewer | undefined; limit: number }

const selectRecommended = compiledOnce((db, { id, viewer, limit }: Wanted) => {
  const isListed = isListedVideo(viewer)
  const newest = sql`ORDER BY "publishedAt" DESC, "id" DESC`
  const sharedTags = sql`(
    SELECT count(*) FROM "videoTags"
    WHERE "videoId" = "videos"."id" AND "tag" IN (SELECT "tag" FROM "tags")
  )`
  const followed = sql`coalesce("followers"."count", 0)`
  const isFollowed = viewer
    ? sql`("videos"."isAnonymous" = 0 AND EXISTS (
        SELECT 1 FROM "subscriptions"
        WHERE "subscriptions"."subscriberId" = ${viewer.id} AND "subscriptions"."channelId" = "videos"."userId"
      ))`
    : sql`FALSE`
  const isSameChannel = sql`("videos"."isAnonymous" = 0 AND "videos"."userId" = "source"."channelId")`
  const ofTag = sql`SELECT "videoTags"."videoId" AS "id" FROM "videoTags"
    WHERE "videoTags"."tag" = "tags"."tag" ORDER BY "videoTags"."videoId" DESC LIMIT ${NEWEST_OF_TAG}`
  return sql<{ id: number; reason: RecommendedVideo['reason'] }>`
    WITH "source" AS (
      SELECT "id", "category", CASE WHEN "isAnonymous" = 0 THEN "userId" END AS "channelId" FROM "videos" WHERE "id" = ${id}
    ),
    "tags" AS (SELECT "tag" FROM "videoTags" WHERE "videoId" = ${id} LIMIT 10),
    "followers" AS (
      SELECT "nextVideoId" AS "id", "count" FROM "watchedNext"
      WHERE "videoId" = ${id} ORDER BY "count" DESC LIMIT ${FOLLOWERS}
    ),
    "candidates" AS (
      SELECT "id" FROM "followers"
      UNION SELECT "id" FROM (
        SELECT "id" FROM "videos" WHERE "category" = (SELECT "category" FROM "source") AND ${isListed}
        ${newest} LIMIT ${NEWEST_OF_GAME}) AS "ofGame"
      UNION SELECT "id" FROM (
        SELECT "id" FROM "videos" WHERE "userId" = (SELECT "channelId" FROM "source") AND "isAnonymous" = 0
          AND ${isListed} ${newest} LIMIT ${NEWEST_OF_CHANNEL}) AS "ofChannel"
      UNION SELECT "id" FROM (
        SELECT "id" FROM "videos" WHERE ${isListed} ${newest} LIMIT ${NEWEST_OF_ALL}) AS "ofAll"
      UNION SELECT "tagged"."id" FROM "tags" ${joinFound({ table: 'videos', as: 'tagged', ids: ofTag })}
    ),
    -- Reasons are found for the videos shown only.
    "best" AS (
      SELECT "videos"."id", ${followed} AS "followed",
        CASE WHEN "videos"."category" = "source"."category" THEN 3.0 ELSE 0 END
        + CASE WHEN ${isSameChannel} THEN 2.0 ELSE 0 END
        + CASE WHEN ${isFollowed} THEN 2.0 ELSE 0 END
        + ${lesserOf(sql`3`, sharedTags)} * 2.0
        + ${lesserOf(sql`6.0`, sql`2.0 * ln(1 + ${followed})`)}
        + 2.0 / (1.0 + ${greaterOf(sql`0`, daysSince(sql.ref('videos.publishedAt')))} / 30.0)
        + ${lesserOf(sql`1.0`, sql`ln(1 + "videos"."viewCount") / 14.0`)} AS "points"
      FROM "candidates" JOIN "videos" ON "videos"."id" = "candidates"."id" CROSS JOIN "source"
      LEFT JOIN "followers" ON "followers"."id" = "candidates"."id"
      WHERE "videos"."id" <> "source"."id" AND ${isListed} AND ${isNotHidden(viewer)}
      ORDER BY "points" DESC, "videos"."id" DESC LIMIT ${limit}
    )
    SELECT "videos"."id", CASE
      WHEN ${isFollowed} THEN 'following'
      WHEN "best"."followed" >= ${OFTEN_NEXT} THEN 'watched-next'
      WHEN ${isSameChannel} THEN 'channel'
      WHEN ${sharedTags} > 0 THEN 'tags'
      WHEN "videos"."category" = "source"."category" THEN 'game'
    END AS "reason"
    FROM "best" JOIN "videos" ON "videos"."id" = "best"."id" CROSS JOIN "source"
    ORDER BY "best"."points" DESC, "videos"."id" DESC`.compile(db)
})

/**
 * Points: same game 3; each shared tag 2, up to three; same channel 2, unless anonymous; followed
 * channel 2; watched next up to 6, logarithmic; freshness up to 2, halved after 30 days; views up
 * to 1, logarithmic. Considers the newest per game, tag, channel and in total, and those watched
 * next: its cost does not grow with the site. The first reason that applies is given: following,
 * watched next, channel, tags, game.
 */
export async function listRecommendedVideos(
  db: Database,
  { id, viewer, limit }: Wanted,
): Promise<RecommendedVideo[]> {
  const rows = await selectRecommended(db, { id, viewer, limit })
  const reasons = new Map(rows.map(({ id: found, reason }) => [found, reason]))
  const videos = await listVideosById(db, { ids: [...reasons.keys()], viewer })
  return videos.map((video) => ({ ...video, reason: reasons.get(video.id) ?? null }))
}
