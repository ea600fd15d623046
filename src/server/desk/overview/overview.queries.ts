import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { lesserOf } from '#server/platform/db/expressions.ts'
import { waitsForApproval } from '#server/video/video/video.queries.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { WaitingCounts } from '#shared/schemas/desk/overview.schemas.ts'
import type { StorageSample } from './forecast.ts'

const DAY_MS = 86_400_000
const FORECAST_DAYS = 28

export async function countTotals(db: Database) {
  const { rows } = await sql<{ members: number; videos: number; queued: number; running: number }>`
    SELECT
      (SELECT count(*) FROM "users") AS "members",
      (SELECT count(*) FROM "videos") AS "videos",
      (SELECT count(*) FROM "jobs" WHERE "state" = 'queued') AS "queued",
      (SELECT count(*) FROM "jobs" WHERE "state" = 'running') AS "running"`.execute(db)
  return onlyRow(rows)
}

export async function countWaiting(db: Database): Promise<WaitingCounts> {
  const { rows } = await sql<WaitingCounts>`
    SELECT
      (SELECT count(*) FROM "videos" JOIN "users" ON "users"."id" = "videos"."userId"
        WHERE ${waitsForApproval} AND "videos"."processingState" <> 'deleting') AS "approvals",
      (SELECT count(*) FROM "reports" WHERE "state" = 'open') AS "openReports",
      (SELECT count(*) FROM "comments" JOIN "users" ON "users"."id" = "comments"."userId"
        WHERE "comments"."withheld" = 'held' AND "users"."bannedAt" IS NULL)
        + (SELECT count(*) FROM "posts" JOIN "users" ON "users"."id" = "posts"."channelId"
        WHERE "posts"."withheld" = 'held' AND "users"."bannedAt" IS NULL) AS "heldComments",
      (SELECT count(*) FROM "jobs" WHERE "state" = 'failed') AS "failedJobs",
      (SELECT count(*) FROM "webhooks" WHERE "pausedAt" IS NOT NULL AND "isActive" = 1) AS "pausedWebhooks"`.execute(
    db,
  )
  return onlyRow(rows)
}

function onlyRow<Row>([row]: Row[]): Row {
  if (!row) throw new Error('A query of counts answers one row.')
  return row
}

export async function readStorageTotals(db: Database): Promise<Map<string, number>> {
  const rows = await db.selectFrom('storageTotals').select(['kind', 'bytes']).execute()
  return new Map(rows.map((row) => [row.kind, row.bytes]))
}

export async function sumUploadedBytes(db: Database): Promise<number> {
  const arrived = sql`${UPLOAD_CHUNK_BYTES} * (
    SELECT count(*) FROM "uploadChunks" WHERE "uploadChunks"."uploadId" = "uploads"."id"
  )`
  const { rows } = await sql<{ bytes: number | null }>`
    SELECT sum(${lesserOf(sql`"fileSize"`, arrived)}) AS "bytes"
    FROM "uploads" WHERE "state" IN ('receiving', 'finalizing')`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function noteStorageOfDay(db: Database, now: Date = new Date()): Promise<void> {
  await sql`
    INSERT INTO "siteDays" ("day", "storageBytes")
    SELECT ${timestamp(now).slice(0, 10)}, "bytes" FROM "storageTotals" WHERE "kind" = 'all'
    ON CONFLICT ("day") DO UPDATE SET "storageBytes" = "excluded"."storageBytes"`.execute(db)
}

export async function listStorageSamples(db: Database, now = new Date()): Promise<StorageSample[]> {
  const since = timestamp(new Date(now.getTime() - FORECAST_DAYS * DAY_MS)).slice(0, 10)
  const rows = await db
    .selectFrom('siteDays')
    .select(['day', 'storageBytes'])
    .where('day', '>=', since)
    .where('storageBytes', 'is not', null)
    .orderBy('day')
    .execute()
  return rows.map(({ day, storageBytes }) => ({ day, bytes: storageBytes ?? 0 }))
}

export async function listViewsByDay(db: Database, days: number, now = new Date()) {
  const names = Array.from({ length: days }, (_, index) =>
    timestamp(new Date(now.getTime() - (days - 1 - index) * DAY_MS)).slice(0, 10),
  )
  const rows = await db
    .selectFrom('siteDays')
    .select(['day', 'views'])
    .where('day', '>=', names[0] ?? '')
    .execute()
  const known = new Map(rows.map((row) => [row.day, row.views]))
  return names.map((day) => ({ day, views: known.get(day) ?? 0 }))
}
