import { sql } from 'kysely'
import { isListedFor } from '#server/video/video/video.access.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { Connection, VideoOrder } from '../search-engine.ts'

const BATCH_SIZE = 50_000

/** Ascending, some 0.2 µs each. In batches: the text of a million ids would keep its memory. */
export async function listMatches(db: Connection, expression: string): Promise<number[]> {
  const all: number[] = []
  for (;;) {
    const ids = await parseIds(
      sql<Ids>`
      SELECT json_group_array("rowid") AS "ids" FROM (
        SELECT "rowid" FROM "videoSearch"
        WHERE "videoSearch" MATCH ${expression} AND "rowid" > ${all.at(-1) ?? 0}
        ORDER BY "rowid" LIMIT ${BATCH_SIZE}
      )`.execute(db),
    )
    for (const id of ids) all.push(id)
    if (ids.length < BATCH_SIZE) return all
  }
}

export async function countMatches(db: Connection, input: { expression: string; max: number }) {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS "count" FROM (
      SELECT 1 FROM "videoSearch" WHERE "videoSearch" MATCH ${input.expression} LIMIT ${input.max}
    )`.execute(db)
  return rows[0]?.count ?? 0
}

export async function listNewestMatches(
  db: Connection,
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

const BY = { date: sql.ref('videos.publishedAt'), views: sql.ref('videos.viewCount') }

/** Some 3 µs per id. */
export async function sortVideoIds(
  db: Connection,
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

export type OrderCursor = { by: number | string; id: number }

/** From the order's index alone, some 0.1 µs each. */
export async function listOrderedIds(
  db: Connection,
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

type Ids = { ids: string }

/** One text is faster than rows. */
async function parseIds(result: Promise<{ rows: Ids[] }>): Promise<number[]> {
  const { rows } = await result
  return JSON.parse(rows[0]?.ids ?? '[]') as number[]
}
