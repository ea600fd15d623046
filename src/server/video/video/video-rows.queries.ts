import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { deleteSome, forEachBatch, inBatches } from '#server/platform/db/batches.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'

const DEPENDANTS = [
  ['clips', ['id']],
  ['likes', ['id']],
  ['notifications', ['id']],
  ['history', ['userId', 'videoId']],
  ['views', ['videoId', 'viewerKey']],
  ['playlistItems', ['playlistId', 'videoId']],
  ['videoReactions', ['videoId', 'userId', 'second']],
] as const
/** A comment, with its likes and notifications, takes some 40 µs. */
export const DELETED_AT_A_TIME = 50
const VIDEOS_AT_A_TIME = 20
/** Of `longWork`. */
export const DELETING_ROWS = 'delete-video-rows'

export async function deleteVideoRows(db: Database, id: number): Promise<void> {
  await inBatches(async () =>
    (await inTransaction(db, (transaction) => deleteSomeRows(transaction, id))) ? 0 : 1,
  )
}

/**
 * Of a video, whose own row goes last.
 * @returns whether none are left
 */
export async function deleteSomeRows(db: DatabaseTransaction, videoId: number): Promise<boolean> {
  let left = DELETED_AT_A_TIME
  while (left > 0) {
    const deleted = await deleteSomeCommentsOn(db, { videoId, most: left })
    if (deleted === 0) break
    left -= deleted
  }
  for (const [table, key] of DEPENDANTS) {
    if (left <= 0) return false
    left -= await deleteSome(db, { table, key, column: 'videoId', value: videoId, most: left })
  }
  if (left <= 0) return false
  await db.deleteFrom('videos').where('id', '=', videoId).execute()
  return true
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

/** SQL: its files are gone, and its rows are going. */
const isGoingInSteps: RawBuilder<SqlBool> = sql`EXISTS (
  SELECT 1 FROM "longWork" WHERE "longWork"."kind" = ${sql.lit(DELETING_ROWS)}
    AND "longWork"."targetId" = "videos"."id"
)`

export async function listDeletingVideos(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('processingState', '=', sql.lit('deleting'))
    .where((eb) => eb.not(isPreviousRecording))
    .where((eb) => eb.not(isGoingInSteps))
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

/** Also on clips. */
export async function deleteCommentsOn(
  db: Database,
  subject: { videoId: number } | { postId: number },
): Promise<void> {
  await inBatches(() => deleteSomeCommentsOn(db, { ...subject, most: DELETED_AT_A_TIME }))
}

/** @returns how many, 0 when none are left */
async function deleteSomeCommentsOn(
  db: Database,
  { most, ...subject }: ({ videoId: number } | { postId: number }) & { most: number },
): Promise<number> {
  const [column, value] =
    'videoId' in subject
      ? (['videoId', subject.videoId] as const)
      : (['postId', subject.postId] as const)
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where(column, '=', value)
    .limit(most)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  // Deleted comments take their replies along, however many.
  const replies = await sql`
    DELETE FROM "comments" WHERE "id" IN (
      SELECT "id" FROM "comments" WHERE "parentId" IN ${listOf(ids)} LIMIT ${most}
    )`.execute(db)
  const replyCount = Number(replies.numAffectedRows ?? 0n)
  if (replyCount > 0) return replyCount
  const result = await db.deleteFrom('comments').where('id', 'in', listOf(ids)).executeTakeFirst()
  return Number(result.numDeletedRows)
}
