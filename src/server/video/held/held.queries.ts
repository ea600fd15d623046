import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { MediaFilesTable } from '#server/platform/db/tables/video.ts'
import type { HeldItem } from '#shared/schemas/held.schemas.ts'
import { retireMediaFile } from '../media/media-file.queries.ts'

type Listing = { userId: number; limit: number }
type FileKind = keyof typeof BYTES_OF

/** Columns of videos, all in one index. They also count retired files until these are removed. */
const BYTES_OF = {
  captions: 'captionBytes',
  picture: 'pictureBytes',
  share: 'shareBytes',
} as const satisfies Partial<Record<MediaFilesTable['kind'], string>>

export async function listHeldVideos(db: Database, input: Listing): Promise<HeldItem[]> {
  const { rows } = await sql<HeldItem>`
    WITH "largest" AS (
      SELECT "id", "storageBytes" - "clipBytes" - "captionBytes" - "pictureBytes" - "shareBytes" AS "bytes"
      FROM "videos"
      WHERE "userId" = ${input.userId} AND "processingState" IN ('processing', 'ready', 'failed')
      ORDER BY "bytes" DESC, "videos"."id" DESC LIMIT ${input.limit}
    )
    SELECT CAST("videos"."id" AS TEXT) AS "id", "videos"."title", NULL AS "until", "largest"."bytes"
    FROM "largest" JOIN "videos" ON "videos"."id" = "largest"."id"
    ORDER BY "largest"."bytes" DESC, "videos"."id" DESC`.execute(db)
  return rows
}

export async function listHeldFiles(
  db: Database,
  { userId, kind, limit }: Listing & { kind: FileKind },
): Promise<HeldItem[]> {
  const bytes = sql.ref(`videos.${BYTES_OF[kind]}`)
  const { rows } = await sql<HeldItem>`
    WITH "largest" AS (
      SELECT "id" FROM "videos"
      WHERE "userId" = ${userId} AND "processingState" IN ('processing', 'ready', 'failed') AND ${bytes} > 0
      ORDER BY ${bytes} DESC, "videos"."id" DESC LIMIT ${limit}
    )
    SELECT CAST("videos"."id" AS TEXT) AS "id", "videos"."title", NULL AS "until",
      coalesce(sum("mediaFiles"."bytes"), 0) AS "bytes"
    FROM "largest" JOIN "videos" ON "videos"."id" = "largest"."id"
    JOIN "mediaFiles" ON "mediaFiles"."videoId" = "videos"."id"
    WHERE "mediaFiles"."kind" = ${kind} AND "mediaFiles"."makerId" IS NULL AND "mediaFiles"."retiredAt" IS NULL
    GROUP BY "videos"."id", "videos"."title"
    ORDER BY "bytes" DESC, "videos"."id" DESC`.execute(db)
  return rows
}

/** @param input.until expiry of a cut at that time */
export async function listHeldPreviousRecordings(
  db: Database,
  { userId, limit }: Listing,
): Promise<(HeldItem & { parkedAt: string })[]> {
  const { rows } = await sql<HeldItem & { parkedAt: string }>`
    SELECT CAST("shown"."id" AS TEXT) AS "id", "shown"."title", NULL AS "until",
      sum("parked"."storageBytes" - "parked"."clipBytes") AS "bytes", max("cuts"."parkedAt") AS "parkedAt"
    FROM "videos" AS "parked"
    JOIN "cuts" ON "cuts"."videoId" = "parked"."id" AND "cuts"."parkedAt" IS NOT NULL
    JOIN "videos" AS "shown" ON "shown"."id" = "cuts"."sourceVideoId" AND "shown"."processingState" <> 'deleting'
    WHERE "parked"."userId" = ${userId} AND "parked"."processingState" = 'deleting'
    GROUP BY "shown"."id", "shown"."title"
    ORDER BY "bytes" DESC, "shown"."id" DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function listHeldClips(db: Database, { userId, limit }: Listing): Promise<HeldItem[]> {
  const name = sql`"mediaFiles"."name"`
  const { rows } = await sql<HeldItem>`
    SELECT CAST("clips"."id" AS TEXT) AS "id", "clips"."title", NULL AS "until",
      coalesce(sum("mediaFiles"."bytes"), 0) AS "bytes"
    FROM "clips" JOIN "mediaFiles" ON "mediaFiles"."videoId" = "clips"."videoId"
      AND "mediaFiles"."makerId" = "clips"."userId" AND "mediaFiles"."retiredAt" IS NULL
      AND (${name} = "clips"."shareFile" OR ${name} = "clips"."pictureFile"
        OR ${name} = replace("clips"."pictureFile", '-card.webp', '.jpg'))
    WHERE "clips"."userId" = ${userId} AND "clips"."shareFile" IS NOT NULL
    GROUP BY "clips"."id", "clips"."title"
    ORDER BY "bytes" DESC, "clips"."id" DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function listHeldUploads(
  db: Database,
  { userId, limit }: Listing,
): Promise<HeldItem[]> {
  const { rows } = await sql<HeldItem>`
    SELECT "id", "title", NULL AS "until", "fileSize" + "thumbnailBytes" AS "bytes" FROM "uploads"
    WHERE "userId" = ${userId} AND "state" = 'receiving'
    ORDER BY "bytes" DESC, "id" LIMIT ${limit}`.execute(db)
  return rows
}

export async function findOwnFolder(db: Database, { id, userId }: { id: number; userId: number }) {
  return db
    .selectFrom('videos')
    .select(['id', 'mediaKey'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
}

const ADDRESSES = {
  picture: { thumbnailUrl: null, cardUrl: null },
  share: { shareUrl: null },
  captions: undefined,
} as const

export async function retireHeldFiles(
  db: DatabaseTransaction,
  { videoId, kind }: { videoId: number; kind: keyof typeof ADDRESSES },
): Promise<void> {
  const files = await db
    .selectFrom('mediaFiles')
    .select('name')
    .where('videoId', '=', videoId)
    .where('kind', '=', kind)
    .where('makerId', 'is', null)
    .where('retiredAt', 'is', null)
    .execute()
  if (files.length === 0) return
  for (const { name } of files) await retireMediaFile(db, { videoId, name })
  const addresses = ADDRESSES[kind]
  if (addresses) await db.updateTable('videos').set(addresses).where('id', '=', videoId).execute()
  else await db.deleteFrom('captions').where('videoId', '=', videoId).execute()
}
