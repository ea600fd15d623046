import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { deleteInBatches, forEachBatch, inBatches } from '#server/platform/db/batches.ts'
import type { Database } from '#server/platform/db/database.ts'

const DEPENDANTS = [
  ['clips', ['id']],
  ['likes', ['id']],
  ['notifications', ['id']],
  ['history', ['userId', 'videoId']],
  ['views', ['videoId', 'viewerKey']],
  ['playlistItems', ['playlistId', 'videoId']],
] as const
/** Each with likes and notifications. */
const COMMENTS_AT_A_TIME = 100
const VIDEOS_AT_A_TIME = 20

export async function deleteVideoRows(db: Database, ids: number[]): Promise<void> {
  for (const id of ids) await deleteDependants(db, id)
  const work = async (batch: number[]) => {
    await db.deleteFrom('videos').where('id', 'in', batch).execute()
  }
  await forEachBatch(ids, { size: VIDEOS_AT_A_TIME, work })
}

/** The janitor resumes after a crash. */
export async function markVideosAsDeleting(db: Database, ids: number[]): Promise<void> {
  const work = async (batch: number[]) => {
    await db
      .updateTable('videos')
      .set({ processingState: 'deleting' })
      .where('id', 'in', batch)
      .execute()
  }
  await forEachBatch(ids, { size: VIDEOS_AT_A_TIME, work })
}

/** SQL: the recording from before a cut, while the cut video exists. */
export const isPreviousRecording: RawBuilder<SqlBool> = sql`EXISTS (
  SELECT 1 FROM "cuts" JOIN "videos" AS "cutVideos" ON "cutVideos"."id" = "cuts"."sourceVideoId"
  WHERE "cuts"."videoId" = "videos"."id" AND "cuts"."parkedAt" IS NOT NULL
    AND "cutVideos"."processingState" <> 'deleting'
)`

export async function listDeletingVideos(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('processingState', '=', sql.lit('deleting'))
    .where((eb) => eb.not(isPreviousRecording))
    .execute()
  return rows.map((row) => row.id)
}

/** By media key: selecting only videos with a file may scan the table. */
export async function listVideosByKey(
  db: Database,
  input: { afterKey: string; upToKey?: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('videos')
    .select(['id', 'mediaKey', 'videoUrl', 'videoFileExists'])
    .where('mediaKey', '>', input.afterKey)
    .orderBy('mediaKey')
    .limit(input.limit)
  if (input.upToKey !== undefined) query = query.where('mediaKey', '<=', input.upToKey)
  return query.execute()
}

export async function findDeletingMediaKey(db: Database, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('videos')
    .select('mediaKey')
    .where('id', '=', id)
    .where('processingState', '=', 'deleting')
    .where((eb) => eb.not(isPreviousRecording))
    .executeTakeFirst()
  return row?.mediaKey
}

async function deleteDependants(db: Database, videoId: number): Promise<void> {
  await deleteCommentsOn(db, { videoId })
  for (const [table, key] of DEPENDANTS) {
    await deleteInBatches(db, { table, key, column: 'videoId', value: videoId })
  }
}

/** Also on clips. */
export async function deleteCommentsOn(
  db: Database,
  subject: { videoId: number } | { postId: number },
): Promise<void> {
  const isOn =
    'videoId' in subject ? sql`"videoId" = ${subject.videoId}` : sql`"postId" = ${subject.postId}`
  // Replies first: batches stay small.
  for (const kind of [sql`"parentId" IS NOT NULL`, sql`TRUE`]) {
    await inBatches(async () => {
      const result = await sql`
        DELETE FROM "comments" WHERE "id" IN (
          SELECT "id" FROM "comments" WHERE ${isOn} AND ${kind} LIMIT ${COMMENTS_AT_A_TIME}
        )`.execute(db)
      return Number(result.numAffectedRows ?? 0n)
    })
  }
}
