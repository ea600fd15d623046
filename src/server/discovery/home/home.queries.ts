import { sql } from 'kysely'
import { isShownUser } from '#server/account/user/user.queries.ts'
import { compiledOnce } from '#server/platform/db/compiled-once.ts'
import type { Database } from '#server/platform/db/database.ts'
import { eachText, listOf } from '#server/platform/db/expressions.ts'
import { inOrder } from '#server/platform/db/in-order.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { addressKey } from '#server/video/video/media-address.ts'
import { audienceOf, isListedFor, isListedVideo } from '#server/video/video/video.access.ts'
import { isNotHidden } from '#server/video/video/video.queries.ts'
import type { SuggestedChannel } from '#shared/schemas/home.schemas.ts'

type Asking = { viewer: Viewer | undefined }

/** How many of the newest videos are searched for people, which takes about 1 ms. */
export const LOOKED_THROUGH = 200

type AskingOf = Asking & { ids: number[]; withoutSquads?: boolean }

const selectGamesOf = compiledOnce((db, { ids, viewer, withoutSquads }: AskingOf) => {
  const isListed = withoutSquads ? isListedFor(audienceOf(viewer)) : isListedVideo(viewer)
  return sql<{ id: number; category: string }>`
    SELECT "videos"."id", "videos"."category" FROM "videos"
    WHERE "videos"."id" IN ${listOf(ids)} AND ${isListed} AND ${isNotHidden(viewer)}
  `.compile(db)
})

/**
 * Keeps the order of `ids` and leaves out videos that are not listed for the viewer or that the
 * viewer hid.
 */
export async function listShownOf(db: Database, input: AskingOf) {
  const { ids } = input
  if (ids.length === 0) return []
  return inOrder(await selectGamesOf(db, input), ids)
}

const selectNewestIds = compiledOnce((db, { viewer, count }: Asking & { count: number }) =>
  sql<{ id: number }>`
    SELECT "videos"."id" FROM "videos"
    WHERE ${isListedFor(audienceOf(viewer))} AND ${isNotHidden(viewer)}
    ORDER BY "publishedAt" DESC, "id" DESC LIMIT ${count}`.compile(db),
)

/** Leaves out videos for squads. */
export async function listNewestIds(db: Database, input: Asking & { count: number }) {
  return (await selectNewestIds(db, input)).map(({ id }) => id)
}

const selectSmallest = compiledOnce((db, { id, clipId }: FileOf) =>
  sql<SmallFile & { isClip: Flag }>`
    SELECT '/media/' || ${addressKey} || '/' || "mediaFiles"."name" AS "url", "mediaFiles"."bytes",
      CASE WHEN "clips"."id" IS NULL THEN 0 ELSE 1 END AS "isClip"
    FROM "videos" JOIN "mediaFiles" ON "mediaFiles"."videoId" = "videos"."id"
    LEFT JOIN "clips" ON "clips"."id" = ${clipId ?? 0} AND "clips"."shareFile" = "mediaFiles"."name"
    WHERE "videos"."id" = ${id} AND "videos"."videoFileExists" = 1 AND "mediaFiles"."bytes" > 0
      AND "mediaFiles"."retiredAt" IS NULL
      AND ("clips"."id" IS NOT NULL OR "mediaFiles"."kind" IN ('video', 'rendition')
        OR "videos"."shareUrl" = '/media/' || ${addressKey} || '/' || "mediaFiles"."name")
    ORDER BY "isClip" DESC, "mediaFiles"."bytes" LIMIT 1`.compile(db),
)

type FileOf = { id: number; clipId?: number }
type SmallFile = { url: string; bytes: number }

/**
 * Returns the file of the clip, or else the smallest file of the video. The caller checks that the
 * viewer may see the video.
 */
export async function findSmallestFile(db: Database, input: FileOf) {
  const [file] = await selectSmallest(db, input)
  return file && { url: file.url, bytes: file.bytes, isClip: file.isClip === 1 }
}

const isByShownOwner = sql`EXISTS (
  SELECT 1 FROM "users" WHERE "users"."id" = "videos"."userId" AND ${isShownUser}
)`

export type Posted = { id: number; userId: number; isAnonymous: Flag }

const selectPostedSince = compiledOnce((db, { viewer, since }: Asking & { since: string }) =>
  sql<Posted>`
    SELECT "videos"."id", "videos"."userId", "videos"."isAnonymous" FROM "videos"
    WHERE ${isListedVideo(viewer)} AND ${isNotHidden(viewer)} AND ${isByShownOwner}
      AND "videos"."publishedAt" > ${since}
    ORDER BY "publishedAt" DESC, "id" DESC LIMIT ${LOOKED_THROUGH}`.compile(db),
)

/** Returns videos of other members, newest first, out of the newest 200 videos. */
export async function listPostedSince(db: Database, input: { viewer: Viewer; since: string }) {
  const rows = await selectPostedSince(db, input)
  return rows.filter((row) => row.userId !== input.viewer.id)
}

const selectPostedIn = compiledOnce((db, { viewer, category }: Asking & { category: string }) =>
  sql<Posted>`
    SELECT "videos"."id", "videos"."userId", "videos"."isAnonymous" FROM "videos"
    WHERE "videos"."category" = ${category} AND ${isListedVideo(viewer)} AND ${isNotHidden(viewer)}
      AND ${isByShownOwner}
    ORDER BY "publishedAt" DESC, "id" DESC LIMIT ${LOOKED_THROUGH}`.compile(db),
)

/** Returns at most 200 videos, newest first. */
export function listPostedIn(db: Database, input: Asking & { category: string }) {
  return selectPostedIn(db, input)
}

const selectCounts = compiledOnce(
  (db, { viewer, categories }: Asking & { categories: string[] }) => {
    const total = sql`coalesce((
      SELECT "publicVideos" FROM "categoryTotals" WHERE "category" = "game"."value"
    ), 0)`
    return sql<{ category: string; count: number }>`
    SELECT "game"."value" AS "category",
      CASE WHEN ${total} >= ${sql.lit(LOOKED_THROUGH)} AND ${viewer ? sql`TRUE` : isOpenSite} THEN ${total}
      ELSE (SELECT count(*) FROM (
        SELECT 1 AS "one" FROM "videos"
        WHERE "videos"."category" = "game"."value" AND ${isListedVideo(viewer)}
          AND ${isNotHidden(viewer)} AND ${isByShownOwner}
        LIMIT ${sql.lit(LOOKED_THROUGH)}
      ) AS "shown") END AS "count"
    FROM ${eachText(categories)} AS "game"`.compile(db)
  },
)

/**
 * Counts the videos of each game that are listed for the viewer. From 200 public videos on, all public ones are
 * counted; of the others at most 200.
 */
export async function countShownIn(db: Database, input: Asking & { categories: string[] }) {
  const rows = await selectCounts(db, input)
  return new Map(rows.map(({ category, count }) => [category, count]))
}

const selectNamed = compiledOnce((db, { ids }: { ids: number[] }) =>
  sql<{ videoId: number; userId: number }>`
    SELECT "videoId", "userId" FROM "participants"
    WHERE "videoId" IN ${listOf(ids)} AND "state" = 'named'
      AND EXISTS (SELECT 1 FROM "users" WHERE "users"."id" = "participants"."userId" AND ${isShownUser})
    ORDER BY "userId"`.compile(db),
)

/** Returns who is named in the videos as having played along, a few members for each video. */
export async function listNamedIn(db: Database, ids: number[]) {
  return ids.length === 0 ? [] : selectNamed(db, { ids })
}

const selectChannels = compiledOnce((db, { ids }: { ids: number[] }) =>
  sql<SuggestedChannel>`
    SELECT "id", "username", "displayName", "avatarUrl", "subscriberCount" FROM "users"
    WHERE "id" IN ${listOf(ids)} AND ${isShownUser}`.compile(db),
)

/** Keeps the order of `ids`. */
export async function listChannelsOf(db: Database, ids: number[]): Promise<SuggestedChannel[]> {
  return ids.length === 0 ? [] : inOrder(await selectChannels(db, { ids }), ids)
}

const selectFollows = compiledOnce((db, { userId }: { userId: number }) =>
  db.selectFrom('subscriptions').select('id').where('subscriberId', '=', userId).limit(1).compile(),
)

export async function followsAnybody(db: Database, userId: number): Promise<boolean> {
  return (await selectFollows(db, { userId })).length > 0
}

const selectVisit = compiledOnce((db, { userId }: { userId: number }) =>
  db
    .selectFrom('visits')
    .select(['startedAt', 'seenAt', 'previousAt'])
    .where('userId', '=', userId)
    .compile(),
)

export async function findVisit(db: Database, userId: number) {
  const [row] = await selectVisit(db, { userId })
  return row
}

export async function insertVisit(
  db: Database,
  { userId, now }: { userId: number; now: string },
): Promise<void> {
  await db
    .insertInto('visits')
    .values({ userId, startedAt: now, seenAt: now, previousAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Does nothing if another call has updated the visit since `before` was read. */
export async function updateVisit(
  db: Database,
  input: {
    userId: number
    before: string
    change: { seenAt: string; startedAt?: string; previousAt?: string }
  },
): Promise<void> {
  await db
    .updateTable('visits')
    .set(input.change)
    .where('userId', '=', input.userId)
    .where('seenAt', '=', input.before)
    .execute()
}
