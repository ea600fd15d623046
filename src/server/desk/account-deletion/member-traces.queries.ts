import { type RawBuilder, sql } from 'kysely'
import { deleteReplies } from '#server/community/comment/reply.queries.ts'
import { deleteNameFromLikes } from '#server/community/notification/notification.queries.ts'
import { BATCH_ROWS, deleteInBatches, inBatches } from '#server/platform/db/batches.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { deleteClipsOf } from '#server/video/clip/clip-files.queries.ts'
import { LIKED } from '#server/video/like/like.queries.ts'
import { deleteSomeReactionsOf } from '#server/video/reaction/reaction.queries.ts'
import { deleteCommentsOn } from '#server/video/video/video-rows.queries.ts'

/** Rows about a member, with the columns that identify one. */
const TRACES = [
  ['dataExports', ['id'], 'userId'],
  ['notifications', ['id'], 'userId'],
  ['notifications', ['id'], 'sourceUserId'],
  ['mutedNotifications', ['userId', 'kind'], 'userId'],
  ['subscriptions', ['id'], 'channelId'],
  ['featuredChannels', ['userId', 'channelId'], 'channelId'],
  ['participants', ['videoId', 'userId'], 'userId'],
  ['videoMembers', ['videoId', 'userId'], 'userId'],
  ['playlistMembers', ['playlistId', 'userId'], 'userId'],
  ['hiddenVideos', ['userId', 'videoId'], 'userId'],
  ['announcedActs', ['kind', 'actorId', 'targetId'], 'actorId'],
] as const
/** Each with likes and notifications. */
const TEXTS_AT_A_TIME = 50

/**
 * In batches, so that few rows go with the member's own; corrects counts. Without `withComments`
 * comments stay, without a name.
 */
export async function deleteTraces(
  db: Database,
  input: { userId: number; withComments: boolean },
): Promise<void> {
  const { userId, withComments } = input
  await inBatches(() => deleteNameFromLikes(db, userId))
  await inBatches(() => deleteLikes(db, userId))
  await inBatches(() => deleteSomeReactionsOf(db, { userId }))
  await inBatches(() => deleteClipsOf(db, userId))
  await inBatches(() => deleteSubscriptions(db, userId))
  await inBatches(() => (withComments ? deleteComments(db, userId) : disownComments(db, userId)))
  await inBatches(() => deletePosts(db, userId))
  await inBatches(async () => {
    const result = await sql`
      DELETE FROM "playlistItems" WHERE ("playlistId", "videoId") IN (
        SELECT "playlistId", "videoId" FROM "playlists"
        JOIN "playlistItems" ON "playlistItems"."playlistId" = "playlists"."id"
        WHERE "userId" = ${userId} LIMIT ${BATCH_ROWS}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
  for (const [table, key, column] of TRACES) {
    await deleteInBatches(db, { table, key, column, value: userId })
  }
}

async function deleteLikes(db: Database, userId: number): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const rows = await transaction
      .selectFrom('likes')
      .select('id')
      .where('userId', '=', userId)
      .limit(BATCH_ROWS)
      .execute()
    if (rows.length === 0) return 0
    const ids = rows.map((row) => row.id)
    await uncountLikes(transaction, sql`"id" IN (${sql.join(ids)})`)
    await transaction.deleteFrom('likes').where('id', 'in', ids).execute()
    return ids.length
  })
}

export async function uncountLikes(
  db: DatabaseTransaction,
  rows: RawBuilder<unknown>,
): Promise<void> {
  for (const { table, column } of Object.values(LIKED)) {
    await sql`
      UPDATE ${sql.table(table)} SET
        "likeCount" = "likeCount" - "counted"."isLike",
        "dislikeCount" = "dislikeCount" - (1 - "counted"."isLike")
      FROM (
        SELECT ${sql.ref(column)} AS "targetId", "isLike" FROM "likes"
        WHERE ${rows} AND ${sql.ref(column)} IS NOT NULL
      ) AS "counted" WHERE "id" = "counted"."targetId"`.execute(db)
  }
}

async function deleteSubscriptions(db: Database, userId: number): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const rows = await transaction
      .selectFrom('subscriptions')
      .select(['id', 'channelId'])
      .where('subscriberId', '=', userId)
      .limit(BATCH_ROWS)
      .execute()
    if (rows.length === 0) return 0
    await transaction
      .updateTable('users')
      .set((eb) => ({ subscriberCount: eb('subscriberCount', '-', 1) }))
      .where(
        'id',
        'in',
        rows.map((row) => row.channelId),
      )
      .execute()
    await transaction
      .deleteFrom('subscriptions')
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute()
    return rows.length
  })
}

async function deleteComments(db: Database, userId: number): Promise<number> {
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where('userId', '=', userId)
    .limit(TEXTS_AT_A_TIME)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.id)
  for (const id of ids) await deleteReplies(db, id)
  await db.deleteFrom('comments').where('id', 'in', ids).execute()
  return ids.length
}

async function disownComments(db: Database, userId: number): Promise<number> {
  const result = await sql`
    UPDATE "comments" SET "userId" = NULL WHERE "id" IN (
      SELECT "id" FROM "comments" WHERE "userId" = ${userId} LIMIT ${BATCH_ROWS}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

async function deletePosts(db: Database, userId: number): Promise<number> {
  const rows = await db
    .selectFrom('posts')
    .select('id')
    .where('channelId', '=', userId)
    .limit(TEXTS_AT_A_TIME)
    .execute()
  const ids = rows.map((row) => row.id)
  for (const postId of ids) await deleteCommentsOn(db, { postId })
  if (ids.length > 0) await db.deleteFrom('posts').where('id', 'in', ids).execute()
  return ids.length
}
