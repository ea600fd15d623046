import { sql } from 'kysely'
import { findUser } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { eachOf } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedFor } from '#server/video/video/video.access.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import { COUNT_FOR, LAST_CHARACTER } from './index-words.queries.ts'
import { isIndexedChannel } from './outbox.queries.ts'
import { searchEngineOf } from './search-engine-of.ts'
import type { QueryWord } from './text/words.ts'

const TAGS_READ_MAX = 30

export async function listTitlesById(
  db: Database,
  { ids, audience }: { ids: number[]; audience: Audience },
) {
  const { rows } = await sql<{ id: number; title: string }>`
    SELECT "videos"."id", "videos"."title" FROM ${eachOf(ids)} AS "found"
    JOIN "videos" ON "videos"."id" = "found"."value"
    WHERE ${isListedFor(audience)} ORDER BY "found"."key"`.execute(db)
  return rows
}

/** At most 30 are weighed. */
export async function listTagsLike(
  db: Database,
  input: { begin: string; limit: number; audience: Audience },
) {
  const { begin, limit, audience } = input
  const count = COUNT_FOR[audience]
  const { rows } = await sql<{ tag: string }>`
    SELECT "tag" FROM (
      SELECT "tag", ${count} AS "count" FROM "searchTags"
      WHERE "plainName" >= ${begin} AND "plainName" < ${begin + LAST_CHARACTER} AND ${count} > 0
      ORDER BY "plainName", "tag" LIMIT ${TAGS_READ_MAX}
    ) AS "found"
    -- What was hidden a moment ago is still counted.
    WHERE 1 = (
      SELECT 1 FROM "videoTags" JOIN "videos" ON "videos"."id" = "videoTags"."videoId"
      WHERE "videoTags"."tag" = "found"."tag" AND ${isListedFor(audience)} LIMIT 1
    )
    ORDER BY "count" DESC, "tag" LIMIT ${limit}`.execute(db)
  return rows.map((row) => row.tag)
}

export type FoundChannel = { id: number; displayName: string }

/** With a video under their name. */
export async function listChannelsLike(
  db: Database,
  input: { alternatives: string[][]; limit: number; audience: Audience },
): Promise<FoundChannel[]> {
  const { rows } = await sql<FoundChannel>`
    SELECT "users"."id", "users"."displayName" FROM "users"
    WHERE "users"."id" IN ${searchEngineOf(db).listNamed(input.alternatives)} AND ${isIndexedChannel}
    -- Not EXISTS: SQLite makes a join of that, and goes through every video of each channel.
    AND 1 = (
      SELECT 1 FROM "videos"
      WHERE "videos"."userId" = "users"."id" AND "videos"."isAnonymous" = 0
        AND ${isListedFor(input.audience)} LIMIT 1
    )
    ORDER BY "users"."subscriberCount" DESC, "users"."id" LIMIT ${input.limit}`.execute(db)
  return rows
}

export async function listMembersFound(
  db: Database,
  { words, ...input }: { words: QueryWord[]; limit: number; viewer: Viewer },
) {
  if (words.length === 0) return []
  const alternatives = words.map(({ word, joined }) => [word, ...joined])
  const { rows } = await sql<{ id: number }>`
    SELECT "users"."id" FROM "users"
    WHERE "users"."id" IN ${searchEngineOf(db).listNamed(alternatives)} AND ${isIndexedChannel}
      AND "users"."bannedAt" IS NULL
    ORDER BY "users"."subscriberCount" DESC, "users"."id" LIMIT ${input.limit}`.execute(db)
  return listFoundUsers(db, { found: rows, viewer: input.viewer })
}

/** Keeps the order and omits deleted users. */
export async function listFoundUsers(
  db: Database,
  { found, viewer }: { found: { id: number }[]; viewer: Viewer | undefined },
) {
  const users = await Promise.all(found.map(({ id }) => findUser(db, { id, viewer })))
  return users.filter((user) => user !== undefined)
}
