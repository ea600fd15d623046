import { sql } from 'kysely'
import { findUser } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isOpenSite } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { audienceOf, isListedFor } from '#server/video/video/video.access.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'

/** Above every letter and digit, so that `word` to `word` + this spans all that begin with it. */
const LAST_CHARACTER = '\u{10ffff}'
const STRETCH = 50_000
const BEGINNINGS_MAX = 100
const CHANNELS_READ_MAX = 100
const TAGS_READ_MAX = 30

export type VideoOrder = Exclude<SearchSort, 'relevance'>

/** Differs after any change of the index. */
export async function readIndexVersion(db: Database): Promise<number> {
  const { changes } = await db.selectFrom('searchState').select('changes').executeTakeFirstOrThrow()
  return changes
}

/** Whether visitors find anything. */
export async function readIsOpen(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isOpen: 0 | 1 }>`SELECT ${isOpenSite} AS "isOpen"`.execute(db)
  return rows[0]?.isOpen === 1
}

/** How many videos have a word or tag that an audience finds. */
const COUNT_FOR = { everybody: sql.ref('publicCount'), members: sql.ref('videoCount') }

/**
 * The ids of all videos that match a full-text query, ascending: about 0.2 µs each. They come in
 * stretches, as the text of a million of them would be memory that nobody gives back.
 */
export async function listMatches(db: Database, expression: string): Promise<number[]> {
  const all: number[] = []
  for (;;) {
    const ids = await parseIds(
      sql<Ids>`
      SELECT json_group_array("rowid") AS "ids" FROM (
        SELECT "rowid" FROM "videoSearch"
        WHERE "videoSearch" MATCH ${expression} AND "rowid" > ${all.at(-1) ?? 0}
        ORDER BY "rowid" LIMIT ${STRETCH}
      )`.execute(db),
    )
    for (const id of ids) all.push(id)
    if (ids.length < STRETCH) return all
  }
}

/** How many videos match, as far as `max`. */
export async function countMatches(db: Database, input: { expression: string; max: number }) {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS "count" FROM (
      SELECT 1 FROM "videoSearch" WHERE "videoSearch" MATCH ${input.expression} LIMIT ${input.max}
    )`.execute(db)
  return rows[0]?.count ?? 0
}

/** The newest of them by id: its cost is bounded by `limit`, not by how many match. */
export async function listNewestMatches(
  db: Database,
  input: { expression: string; limit: number },
): Promise<number[]> {
  return parseIds(
    sql<Ids>`
    SELECT json_group_array("rowid") AS "ids" FROM (
      SELECT "rowid" FROM "videoSearch" WHERE "videoSearch" MATCH ${input.expression}
      ORDER BY "rowid" DESC LIMIT ${input.limit}
    )`.execute(db),
  )
}

/**
 * Whether any video that the audience finds has `word`, and how many of them have words that begin with it: a
 * video counts once for each such word, and of very many words only the first 100 count. `most` have one of
 * the words.
 */
export async function countWord(
  db: Database,
  { word, audience }: { word: string; audience: Audience },
) {
  const count = COUNT_FOR[audience]
  const { rows } = await sql<{ isWord: 0 | 1; videoCount: number; most: number }>`
    SELECT coalesce(max("term" = ${word}), 0) AS "isWord", coalesce(sum("videoCount"), 0) AS "videoCount",
      coalesce(max("videoCount"), 0) AS "most"
    FROM (
      SELECT "term", ${count} AS "videoCount" FROM "searchTerms"
      WHERE "term" >= ${word} AND "term" < ${word + LAST_CHARACTER} AND ${count} > 0
      ORDER BY "term" LIMIT ${BEGINNINGS_MAX}
    )`.execute(db)
  const { isWord, videoCount, most } = rows[0] ?? { isWord: 0, videoCount: 0, most: 0 }
  return { isWord: isWord === 1, videoCount, most }
}

export type KnownWord = { term: string; videoCount: number }

/** Which of `words`, each there once, any video has that the audience finds, the most frequent first. */
export async function listKnownWords(
  db: Database,
  { words, audience }: { words: string[]; audience: Audience },
): Promise<KnownWord[]> {
  const count = COUNT_FOR[audience]
  const { rows } = await sql<KnownWord>`
    SELECT "term", ${count} AS "videoCount" FROM json_each(${JSON.stringify(words)})
    CROSS JOIN "searchTerms" ON "term" = "value" WHERE ${count} > 0`.execute(db)
  return rows.sort((a, b) => b.videoCount - a.videoCount || (a.term < b.term ? -1 : 1))
}

const BY = { date: sql.ref('videos.publishedAt'), views: sql.ref('videos.viewCount') }

/** The first of those of `ids` that an audience finds, in an order, looking at each: about 3 µs each. */
export async function sortVideoIds(
  db: Database,
  input: { ids: number[]; audience: Audience; order: VideoOrder; limit: number },
): Promise<number[]> {
  return parseIds(
    sql<Ids>`
    SELECT json_group_array("id") AS "ids" FROM (
      SELECT "videos"."id" FROM "videos"
      WHERE "videos"."id" IN (SELECT "value" FROM json_each(${JSON.stringify(input.ids)}))
        AND ${isListedFor(input.audience)}
      ORDER BY ${BY[input.order]} DESC, "videos"."id" DESC LIMIT ${input.limit}
    )`.execute(db),
  )
}

/** Where a video is in an order: its number of views or its day, and its id. */
export type OrderCursor = { by: number | string; id: number }

/** A stretch of all videos that an audience finds, in an order, read from its index alone: about 0.1 µs each. */
export async function listOrderedIds(
  db: Database,
  input: { audience: Audience; order: VideoOrder; after: OrderCursor | undefined; limit: number },
): Promise<{ ids: number[]; last: OrderCursor | undefined }> {
  const { after, limit } = input
  const by = BY[input.order]
  const isAfter = after ? sql`(${by}, "videos"."id") < (${after.by}, ${after.id})` : sql`TRUE`
  const { rows } = await sql<Ids & { by: number | string }>`
    SELECT json_group_array("id") AS "ids", min("by") AS "by" FROM (
      SELECT "videos"."id", ${by} AS "by" FROM "videos" WHERE ${isListedFor(input.audience)} AND ${isAfter}
      ORDER BY ${by} DESC, "videos"."id" DESC LIMIT ${limit}
    )`.execute(db)
  const [row] = rows
  const ids = JSON.parse(row?.ids ?? '[]') as number[]
  const id = ids.at(-1)
  return { ids, last: row && id !== undefined ? { by: row.by, id } : after }
}

/** Titles of those of `ids` that an audience finds, in their order. */
export async function listTitlesById(
  db: Database,
  { ids, audience }: { ids: number[]; audience: Audience },
) {
  const { rows } = await sql<{ id: number; title: string }>`
    SELECT "videos"."id", "videos"."title" FROM json_each(${JSON.stringify(ids)}) AS "found"
    JOIN "videos" ON "videos"."id" = "found"."value"
    WHERE ${isListedFor(audience)} ORDER BY "found"."key"`.execute(db)
  return rows
}

/**
 * Tags of videos that the audience finds, beginning with `begin`, the most used first; of very many only the
 * first 30 are weighed.
 */
export async function listTagsLike(
  db: Database,
  input: { begin: string; limit: number; audience: Audience },
) {
  const { begin, limit, audience } = input
  const count = COUNT_FOR[audience]
  const { rows } = await sql<{ tag: string }>`
    SELECT "tag" FROM (
      SELECT "tag", ${count} AS "count" FROM "searchTags"
      WHERE "tag" >= ${begin} AND "tag" < ${begin + LAST_CHARACTER} AND ${count} > 0
      ORDER BY "tag" LIMIT ${TAGS_READ_MAX}
    ) AS "found"
    -- What was hidden a moment ago is still counted.
    WHERE (
      SELECT 1 FROM "videoTags" JOIN "videos" ON "videos"."id" = "videoTags"."videoId"
      WHERE "videoTags"."tag" = "found"."tag" AND ${isListedFor(audience)} LIMIT 1
    )
    ORDER BY "count" DESC, "tag" LIMIT ${limit}`.execute(db)
  return rows.map((row) => row.tag)
}

/** Channels with a video that the audience finds and that carries their name and words that begin with `words`, the most followed first. */
export async function listChannelsLike(
  db: Database,
  input: { words: string[]; limit: number; audience: Audience },
) {
  const { rows } = await sql<{ id: number; displayName: string }>`
    SELECT "users"."id", "users"."displayName" FROM "users"
    WHERE "users"."id" IN (${namesLike(input.words)})
    -- Not EXISTS: SQLite makes a join of that, and goes through every video of each channel.
    AND (
      SELECT 1 FROM "videos"
      WHERE "videos"."userId" = "users"."id" AND "videos"."isAnonymous" = 0
        AND ${isListedFor(input.audience)} LIMIT 1
    )
    ORDER BY "users"."subscriberCount" DESC, "users"."id" LIMIT ${input.limit}`.execute(db)
  return rows
}

/** Channels whose name has a word that begins with each of `words`, as `listChannelsLike` finds them. */
export async function listChannelsFound(
  db: Database,
  input: { words: string[]; limit: number; viewer: Viewer | undefined },
) {
  if (input.words.length === 0) return []
  const found = await listChannelsLike(db, { ...input, audience: audienceOf(input.viewer) })
  return findUsers(db, { found, viewer: input.viewer })
}

/** Members by their names, whether they have videos or not; those who are banned are left out. */
export async function listMembersFound(
  db: Database,
  input: { words: string[]; limit: number; viewer: Viewer },
) {
  if (input.words.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    SELECT "users"."id" FROM "users"
    WHERE "users"."id" IN (${namesLike(input.words)}) AND "users"."bannedAt" IS NULL
    ORDER BY "users"."subscriberCount" DESC, "users"."id" LIMIT ${input.limit}`.execute(db)
  return findUsers(db, { found: rows, viewer: input.viewer })
}

async function findUsers(
  db: Database,
  { found, viewer }: { found: { id: number }[]; viewer: Viewer | undefined },
) {
  const users = await Promise.all(found.map(({ id }) => findUser(db, { id, viewer })))
  return users.filter((user) => user !== undefined)
}

/** SQL: the ids of members with words that begin with `words` in their names. */
function namesLike(words: string[]) {
  const expression = words.map((word) => `"${word}"*`).join(' AND ')
  return sql`
    SELECT "rowid" FROM "channelSearch" WHERE "channelSearch" MATCH ${expression}
    LIMIT ${CHANNELS_READ_MAX}`
}

type Ids = { ids: string }

/** Many numbers come faster as one text than as rows. */
async function parseIds(result: Promise<{ rows: Ids[] }>): Promise<number[]> {
  const { rows } = await result
  return JSON.parse(rows[0]?.ids ?? '[]') as number[]
}
