import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { LIKED } from '#server/video/like/like.queries.ts'

type Counted = { id: number; name: string; stored: number; counted: number; dislikes: boolean }

export async function listWrongLikeCounts(
  db: Database,
  kind: keyof typeof LIKED,
): Promise<Counted[]> {
  const { table, column } = LIKED[kind]
  const name = kind === 'video' ? sql.ref('targets.title') : sql.lit('')
  const rows = await sql<{
    id: number
    name: string
    likeCount: number
    dislikeCount: number
    likes: number
    dislikes: number
  }>`
    SELECT "targets"."id", ${name} AS "name", "likeCount", "dislikeCount",
      coalesce("counts"."likes", 0) AS "likes", coalesce("counts"."dislikes", 0) AS "dislikes"
    FROM ${sql.table(table)} AS "targets" LEFT JOIN (
      SELECT ${sql.ref(column)} AS "id", sum("isLike") AS "likes", sum(1 - "isLike") AS "dislikes"
      FROM "likes" WHERE ${sql.ref(column)} IS NOT NULL GROUP BY ${sql.ref(column)}
    ) AS "counts" ON "counts"."id" = "targets"."id"
    WHERE "likeCount" <> coalesce("counts"."likes", 0) OR "dislikeCount" <> coalesce("counts"."dislikes", 0)
    ORDER BY "targets"."id"`.execute(db)
  return rows.rows.flatMap((row) => [
    { ...row, stored: row.likeCount, counted: row.likes, dislikes: false },
    { ...row, stored: row.dislikeCount, counted: row.dislikes, dislikes: true },
  ])
}

export async function listWrongSubscriberCounts(db: Database) {
  const rows = await sql<{ username: string; stored: number; counted: number }>`
    SELECT "username", "subscriberCount" AS "stored", coalesce("counts"."counted", 0) AS "counted"
    FROM "users" LEFT JOIN (
      SELECT "channelId", count(*) AS "counted" FROM "subscriptions" GROUP BY "channelId"
    ) AS "counts" ON "counts"."channelId" = "users"."id"
    WHERE "subscriberCount" <> coalesce("counts"."counted", 0)
    ORDER BY "users"."id"`.execute(db)
  return rows.rows
}

/** With their highest stored chunk. */
export async function listOpenUploads(db: Database) {
  return db
    .selectFrom('uploads')
    .leftJoin('uploadChunks', 'uploadChunks.uploadId', 'uploads.id')
    .select((eb) => [
      'uploads.id',
      'uploads.state',
      'uploads.fileName',
      'uploads.fileSize',
      'uploads.mediaKey',
      'uploads.prepared',
      eb.fn.max('uploadChunks.chunkIndex').$castTo<number | null>().as('lastChunk'),
    ])
    .where('uploads.state', 'in', ['receiving', 'finalizing'])
    .groupBy('uploads.id')
    .execute()
}

export async function listVideoRecords(db: Database) {
  return db
    .selectFrom('videos')
    .select(['id', 'title', 'processingState', 'videoUrl', 'videoFileExists'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.videoId', '=', 'videos.id')
            .where('jobs.state', 'in', ['queued', 'running']),
        )
        .$castTo<number>()
        .as('hasJob'),
    )
    .execute()
}
