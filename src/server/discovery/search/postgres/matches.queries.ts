import { type RawBuilder, sql } from 'kysely'
import { listOf } from '#server/platform/db/expressions.ts'
import { isListedFor } from '#server/video/video/video.access.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { Connection, Tier, Wanted } from '../search-engine.ts'

export type TierQuery = { tier: Tier; query: string }
type Matching = { anyOf: TierQuery[] }
type WantedOf = Wanted & { audience: Audience }

const BY = { date: sql.ref('videos.publishedAt'), views: sql.ref('videos.viewCount') }

function matches(anyOf: TierQuery[]) {
  const each = anyOf.map(
    ({ tier, query }) => sql`${sql.ref(`videoSearch.${tier}`)} @@ ${query}::tsquery`,
  )
  return sql`(${sql.join(each, sql` OR `)})`
}

/** MATERIALIZED forces the full-text index. */
function allMatches(anyOf: TierQuery[]) {
  return sql`"found" AS MATERIALIZED (
    SELECT "videoId" FROM "videoSearch" WHERE ${matches(anyOf)}
  )`
}

/** One lookup per match; PostgreSQL would scan an index of all videos, in twice the time. */
function eachListed(audience: Audience, by: RawBuilder<unknown>) {
  return sql`"found" CROSS JOIN LATERAL (
    SELECT "videos"."id", ${by} AS "by" FROM "videos"
    WHERE "videos"."id" = "found"."videoId" AND ${isListedFor(audience)} OFFSET 0
  ) AS "listed"`
}

type Row = { id: number }
const idsOf = ({ rows }: { rows: Row[] }) => rows.map(({ id }) => id)

/** Some 5 µs per match. */
export async function listFirstMatches(
  db: Connection,
  { audience, order, limit, anyOf }: WantedOf & Matching,
): Promise<number[]> {
  return idsOf(
    await sql<Row>`
    WITH ${allMatches(anyOf)}
    SELECT "id" FROM ${eachListed(audience, BY[order])}
    ORDER BY "by" DESC, "id" DESC LIMIT ${limit}`.execute(db),
  )
}

/** By the earliest matching tier; empty when more than `max` match. */
export async function listFirstOfTiers(
  db: Connection,
  input: { tiers: TierQuery[][]; audience: Audience; limit: number; max: number },
): Promise<{ ids: number[]; matching: number }> {
  const { tiers, audience, limit, max } = input
  const earlier = tiers.slice(0, -1).map((tier, place) => sql`WHEN ${matches(tier)} THEN ${place}`)
  const { rows } = await sql<{ id: number | null; matching: number }>`
    WITH "found" AS MATERIALIZED (
      SELECT "videoId", CASE ${sql.join(earlier, sql` `)} ELSE ${tiers.length} END AS "tier"
      FROM "videoSearch" WHERE ${matches(tiers.at(-1) ?? [])} LIMIT ${max + 1}
    )
    SELECT "counted"."matching", "first"."id"
    FROM (SELECT count(*) AS "matching" FROM "found") AS "counted"
    LEFT JOIN (
      SELECT "id", "tier", "by" FROM ${eachListed(audience, BY.views)}
      WHERE (SELECT count(*) FROM "found") <= ${max}
      ORDER BY "tier", "by" DESC, "id" DESC LIMIT ${limit}
    ) AS "first" ON 1 = 1
    ORDER BY "tier", "by" DESC, "id" DESC`.execute(db)
  const ids = rows.flatMap(({ id }) => id ?? [])
  return { ids, matching: rows[0]?.matching ?? 0 }
}

/** Some 5 µs per video, until `limit` is reached. */
export async function listLeadingMatches(
  db: Connection,
  { audience, order, limit, among, anyOf }: WantedOf & Matching & { among: number },
): Promise<number[]> {
  return idsOf(
    await sql<Row>`
    SELECT "leading"."id" FROM (
      SELECT "videos"."id", ${BY[order]} AS "by" FROM "videos" WHERE ${isListedFor(audience)}
      ORDER BY "by" DESC, "videos"."id" DESC LIMIT ${among}
    ) AS "leading"
    -- No join, which would be read from the full-text index.
    WHERE (SELECT ${matches(anyOf)} FROM "videoSearch" WHERE "videoId" = "leading"."id")
    ORDER BY "by" DESC, "leading"."id" DESC LIMIT ${limit}`.execute(db),
  )
}

export async function sortVideoIds(
  db: Connection,
  { ids, audience, order, limit }: WantedOf & { ids: number[] },
): Promise<number[]> {
  return idsOf(
    await sql<Row>`
    SELECT "videos"."id" FROM "videos" WHERE "videos"."id" IN ${listOf(ids)} AND ${isListedFor(audience)}
    ORDER BY ${BY[order]} DESC, "videos"."id" DESC LIMIT ${limit}`.execute(db),
  )
}

export async function countMatches(
  db: Connection,
  { max, anyOf }: Matching & { max: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS "count" FROM (
      SELECT 1 FROM "videoSearch" WHERE ${matches(anyOf)} LIMIT ${max}
    ) AS "matching"`.execute(db)
  return rows[0]?.count ?? 0
}

export async function listNewestMatches(
  db: Connection,
  { limit, anyOf }: Matching & { limit: number },
): Promise<number[]> {
  return idsOf(
    await sql<Row>`
    WITH ${allMatches(anyOf)}
    SELECT "videoId" AS "id" FROM "found" ORDER BY "videoId" DESC LIMIT ${limit}`.execute(db),
  )
}

export async function listNewestOfFew(
  db: Connection,
  { limit, among, anyOf }: Matching & { limit: number; among: number },
): Promise<number[]> {
  return idsOf(
    await sql<Row>`
    SELECT "videoId" AS "id" FROM (
      SELECT * FROM "videoSearch" ORDER BY "videoId" DESC LIMIT ${among}
    ) AS "videoSearch"
    WHERE ${matches(anyOf)} ORDER BY "videoId" DESC LIMIT ${limit}`.execute(db),
  )
}
