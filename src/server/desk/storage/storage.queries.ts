import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeSortCursor, toSortedPage } from '#server/platform/db/paging.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { PageInput } from '#shared/field.schemas.ts'

/** All else is made, the video plays without it, and no pending work reads it. */
const originalMayGo: RawBuilder<SqlBool> = sql`(
  "videos"."storageBytes" > "videos"."listedBytes"
  AND "videos"."processingState" = 'ready' AND "videos"."videoFileExists" = 1
  AND "videos"."videoUrl" IS NOT NULL AND "videos"."hlsUrl" IS NOT NULL
  AND EXISTS (SELECT 1 FROM "jobs"
    WHERE "jobs"."videoId" = "videos"."id" AND "jobs"."kind" = 'ladder' AND "jobs"."state" = 'done')
  AND NOT EXISTS (SELECT 1 FROM "jobs"
    WHERE "jobs"."videoId" = "videos"."id" AND "jobs"."state" IN ('queued', 'running'))
)`

function selectStored(db: Database) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'videos.title', 'videos.thumbnailUrl', 'videos.mediaKey'])
    .select(['videos.storageBytes', 'videos.listedBytes', 'users.username as ownerName'])
    .select(sql<Flag>`${originalMayGo}`.as('mayGo'))
    .where('videos.processingState', '<>', 'deleting')
}

export type StoredRow = Awaited<ReturnType<ReturnType<typeof selectStored>['execute']>>[number]

export async function listStoredVideos(
  db: Database,
  input: PageInput & { q?: string | undefined; freeable: boolean },
) {
  let query = selectStored(db)
    .orderBy('videos.storageBytes', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(input.limit + 1)
  if (input.freeable) query = query.where(originalMayGo)
  if (input.q) query = query.where(containsText(['videos.title', 'users.username'], input.q))
  if (input.cursor) {
    const { key, id } = decodeSortCursor(input.cursor, 'storage')
    query = query.where((eb) =>
      eb(eb.refTuple('videos.storageBytes', 'videos.id'), '<', eb.tuple(key, id)),
    )
  }
  return toSortedPage(await query.execute(), input.limit, {
    position: (row) => ({ sort: 'storage', key: row.storageBytes, id: row.id }),
    item: (row) => row,
  })
}

export async function sumFreeable(db: Database): Promise<{ videos: number; bytes: number }> {
  const { rows } = await sql<{ videos: number; bytes: number }>`
    SELECT count(*) AS "videos", coalesce(sum("storageBytes" - "listedBytes"), 0) AS "bytes"
    FROM "videos" WHERE ${originalMayGo}`.execute(db)
  return rows[0] ?? { videos: 0, bytes: 0 }
}

export async function findStoredVideo(db: Database, id: number): Promise<StoredRow | undefined> {
  return selectStored(db).where('videos.id', '=', id).executeTakeFirst()
}

export async function listFreeable(db: Database, limit: number): Promise<StoredRow[]> {
  return selectStored(db).where(originalMayGo).orderBy('videos.id').limit(limit).execute()
}
