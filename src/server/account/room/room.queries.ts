import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { HeldPart } from '#shared/schemas/held.schemas.ts'

type Sums = Record<
  'count' | 'rest' | 'captions' | 'captioned' | 'posters' | 'pictured' | 'shares' | 'shared',
  number
>

export async function findHolder(db: Database, userId: number) {
  return db
    .selectFrom('users')
    .select(['quotaBytes', 'storageBytes', 'avatarBytes', 'bannerBytes'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** The sum is `users.storageBytes`. */
export async function listHeldParts(db: Database, userId: number): Promise<HeldPart[]> {
  const { rows } = await sql<Sums>`
    SELECT count(*) AS "count",
      coalesce(sum("storageBytes" - "clipBytes" - "captionBytes" - "pictureBytes" - "shareBytes"), 0) AS "rest",
      coalesce(sum("captionBytes"), 0) AS "captions", count(nullif("captionBytes", 0)) AS "captioned",
      coalesce(sum("pictureBytes"), 0) AS "posters", count(nullif("pictureBytes", 0)) AS "pictured",
      coalesce(sum("shareBytes"), 0) AS "shares", count(nullif("shareBytes", 0)) AS "shared"
    FROM "videos"
    WHERE "userId" = ${userId} AND "processingState" IN ('processing', 'ready', 'failed')`.execute(
    db,
  )
  const own = rows[0]
  const going = await listGoing(db, userId)
  const parked = going.filter(({ isParked }) => isParked === 1)
  const deleting = going.filter(({ isParked }) => isParked === 0)
  const channel = await findHolder(db, userId)
  const pictures = [channel?.avatarBytes ?? 0, channel?.bannerBytes ?? 0].map((bytes) => ({
    bytes,
  }))
  return [
    { part: 'videos', bytes: own?.rest ?? 0, count: own?.count ?? 0 },
    { part: 'posters', bytes: own?.posters ?? 0, count: own?.pictured ?? 0 },
    { part: 'captions', bytes: own?.captions ?? 0, count: own?.captioned ?? 0 },
    { part: 'shares', bytes: own?.shares ?? 0, count: own?.shared ?? 0 },
    { part: 'parked', ...total(parked) },
    { part: 'clips', ...(await sumClipFiles(db, userId)) },
    { part: 'uploads', ...(await sumOpenUploads(db, userId)) },
    { part: 'channel', ...total(pictures.filter(({ bytes }) => bytes > 0)) },
    { part: 'deleting', ...total(deleting) },
  ]
}

const total = (rows: readonly { bytes: number }[]) => ({
  bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
  count: rows.length,
})

/** Previous recordings, and videos in deletion. */
async function listGoing(db: Database, userId: number) {
  const { rows } = await sql<{ bytes: number; isParked: 0 | 1 }>`
    SELECT "videos"."storageBytes" - "videos"."clipBytes" AS "bytes",
      CASE WHEN "shown"."id" IS NULL THEN 0 ELSE 1 END AS "isParked"
    FROM "videos"
    LEFT JOIN "cuts" ON "cuts"."videoId" = "videos"."id" AND "cuts"."parkedAt" IS NOT NULL
    LEFT JOIN "videos" AS "shown"
      ON "shown"."id" = "cuts"."sourceVideoId" AND "shown"."processingState" <> 'deleting'
    WHERE "videos"."userId" = ${userId} AND "videos"."processingState" = 'deleting'`.execute(db)
  return rows
}

async function sumClipFiles(db: Database, userId: number) {
  return db
    .selectFrom('mediaFiles')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('bytes'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('makerId', '=', userId)
    .executeTakeFirstOrThrow()
}

async function sumOpenUploads(db: Database, userId: number) {
  return db
    .selectFrom('uploads')
    .select(sql<number>`coalesce(sum("fileSize" + "thumbnailBytes"), 0)`.as('bytes'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('state', 'in', ['receiving', 'finalizing'])
    .executeTakeFirstOrThrow()
}

export async function sumStoredBytes(db: Database): Promise<number> {
  const row = await db
    .selectFrom('storageTotals')
    .select('bytes')
    .where('kind', '=', 'all')
    .executeTakeFirst()
  return row?.bytes ?? 0
}

export async function sumReservedBytes(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('fileSize'), eb.lit(0)).as('bytes'))
    .where('state', '=', 'receiving')
    .executeTakeFirstOrThrow()
  return bytes
}

/** Few, so callers filter: without statistics the database would start with those columns. */
export async function listPlannedVideos(db: Database) {
  return db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .leftJoin('cuts', 'cuts.videoId', 'videos.id')
    .leftJoin('videos as source', 'source.id', 'cuts.sourceVideoId')
    .select(['jobs.kind', 'videos.duration', 'videos.width', 'videos.height'])
    .select(['videos.id', 'videos.userId', 'videos.storageBytes'])
    .select(['source.duration as sourceDuration', 'source.storageBytes as sourceBytes'])
    .where('jobs.state', 'in', ['queued', 'running'])
    .where('jobs.kind', 'in', ['cut', 'montage'])
    .execute()
}

/** Announced or stored, not published. */
export async function sumUnpublishedBytes(
  db: Database,
  input: { videoId: number; prefix?: string },
): Promise<number> {
  let query = db
    .selectFrom('mediaFiles')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('bytes'))
    .where('videoId', '=', input.videoId)
    .where('retiredAt', 'is not', null)
  if (input.prefix !== undefined) query = query.where('name', 'like', `${input.prefix}%`)
  return Number((await query.executeTakeFirstOrThrow()).bytes)
}

function selectClipSizes(db: Database) {
  return db
    .selectFrom('clips')
    .innerJoin('videos', 'videos.id', 'clips.videoId')
    .select(['clips.startSeconds', 'clips.endSeconds'])
    .select(['videos.duration', 'videos.storageBytes'])
}

export async function findClipSize(db: Database, id: number) {
  return selectClipSizes(db).where('clips.id', '=', id).executeTakeFirst()
}

export async function listPlannedClips(db: Database, userId?: number) {
  let query = selectClipSizes(db).where('clips.fileState', '=', sql.lit('wanted'))
  if (userId !== undefined) query = query.where('clips.userId', '=', userId)
  return query.execute()
}
