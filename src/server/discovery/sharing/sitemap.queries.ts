import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { isPublicVideo } from '#server/video/video/video.access.ts'

/** Some 5 ms. */
const IDS_AT_A_TIME = 2000

type Kind = { table: 'videos' | 'clips' | 'users' | 'playlists'; pages: RawBuilder<unknown> }

/** The order by id is stable. */
const KINDS: Kind[] = [
  {
    table: 'videos',
    pages: sql`
      SELECT "videos"."id", '/video/' || "videos"."id" AS "path", "videos"."publishedAt" AS "changedAt"
      FROM "videos" WHERE ${isPublicVideo}`,
  },
  {
    table: 'users',
    pages: sql`
      SELECT "id", "path", "changedAt" FROM (
        SELECT "members"."id", '/profile/' || "members"."id" AS "path", (
          SELECT "videos"."publishedAt" FROM "videos"
          WHERE "videos"."userId" = "members"."id" AND ${isPublicVideo} AND "videos"."isAnonymous" = 0
          ORDER BY "videos"."publishedAt" DESC LIMIT 1
        ) AS "changedAt" FROM "users" AS "members"
      ) AS "users" WHERE "changedAt" IS NOT NULL`,
  },
  {
    table: 'playlists',
    pages: sql`
      SELECT "playlists"."id", '/playlist/' || "playlists"."id" AS "path", "playlists"."updatedAt" AS "changedAt"
      FROM "playlists" WHERE "playlists"."visibility" = 'public' AND EXISTS (
        SELECT 1 FROM "playlistItems" JOIN "videos" ON "videos"."id" = "playlistItems"."videoId"
        WHERE "playlistItems"."playlistId" = "playlists"."id" AND ${isPublicVideo}
      )`,
  },
  {
    table: 'clips',
    pages: sql`
      SELECT "clips"."id", '/clip/' || "clips"."id" AS "path", "clips"."createdAt" AS "changedAt"
      FROM "clips" JOIN "videos" ON "videos"."id" = "clips"."videoId"
      JOIN "users" ON "users"."id" = "clips"."userId"
      WHERE ${isPublicVideo} AND "users"."bannedAt" IS NULL`,
  },
]

export async function countListedPages(db: Database): Promise<number> {
  return walk(db, { offset: 0, limit: Number.POSITIVE_INFINITY })
}

/**
 * SQL writes the XML: 50,000 rows never become objects.
 * @param input.origin escaped for XML
 */
export async function renderListedPages(
  db: Database,
  input: { origin: string; limit: number; offset: number },
): Promise<string> {
  const parts: string[] = []
  await walk(db, { ...input, onXml: (xml) => parts.push(xml) })
  return parts.join('')
}

type Walk = {
  origin?: string
  offset: number
  limit: number
  onXml?: (xml: string) => void
}

/**
 * Requests run between batches.
 * @returns pages met
 */
async function walk(db: Database, { origin = '', offset, limit, onXml }: Walk): Promise<number> {
  let [skip, met] = [offset, 0]
  for (const kind of KINDS) {
    const lastId = await findLastId(db, kind)
    let afterId = 0
    while (afterId < lastId && met < limit) {
      const most = Math.min(IDS_AT_A_TIME, skip > 0 ? skip : limit - met)
      const slice = await readSlice(db, { kind, origin, afterId, most })
      if (skip > 0) skip -= slice.count
      else {
        met += slice.count
        if (slice.xml) onXml?.(slice.xml)
      }
      afterId = slice.count === most ? slice.lastId : afterId + IDS_AT_A_TIME
      await setImmediate()
    }
  }
  return met
}

async function findLastId(db: Database, { table }: Kind): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT max("id") AS "id" FROM ${sql.table(table)}`.execute(db)
  return rows[0]?.id ?? 0
}

type Slice = { count: number; lastId: number; xml: string | null }

async function readSlice(
  db: Database,
  input: { kind: Kind; origin: string; afterId: number; most: number },
): Promise<Slice> {
  const { kind, origin, afterId, most } = input
  const id = sql.ref(`${kind.table}.id`)
  const { rows } = await sql<Slice>`
    SELECT count(*) AS "count", coalesce(max("id"), 0) AS "lastId", string_agg(
      '<url><loc>' || ${origin} || "path" || '</loc><lastmod>' || "changedAt" || '</lastmod></url>', ''
    ) AS "xml"
    FROM (
      ${kind.pages} AND ${id} > ${afterId} AND ${id} <= ${afterId + IDS_AT_A_TIME}
      ORDER BY ${id} LIMIT ${most}
    ) AS "pages"`.execute(db)
  return rows[0] ?? { count: 0, lastId: 0, xml: null }
}
