import { sql } from 'kysely'
import { deleteCommentsOnPost } from '#server/community/post/post.queries.ts'
import { BATCH_ROWS, inBatches } from '#server/platform/db/batches.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'

/** Likes and notifications go with each. */
const POSTS_AT_A_TIME = 50

/**
 * Posts go with their comments; comments on others' posts go with `withComments`, else stay without
 * a name.
 */
export async function deletePostsOf(
  db: Database,
  input: { userId: number; withComments: boolean },
): Promise<void> {
  const { userId, withComments } = input
  await inBatches(() => takeBackLikes(db, userId))
  await inBatches(() => deletePosts(db, userId))
  await inBatches(async () => {
    const some = sql`"id" IN (
      SELECT "id" FROM "posts" WHERE "userId" = ${userId} LIMIT ${POSTS_AT_A_TIME}
    )`
    const result = withComments
      ? await sql`DELETE FROM "posts" WHERE ${some}`.execute(db)
      : await sql`UPDATE "posts" SET "userId" = NULL WHERE ${some}`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

async function deletePosts(db: Database, userId: number): Promise<number> {
  const rows = await db
    .selectFrom('posts')
    .select('id')
    .where('channelId', '=', userId)
    .where('parentId', 'is', null)
    .limit(POSTS_AT_A_TIME)
    .execute()
  for (const { id } of rows) await deleteCommentsOnPost(db, id)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('posts').where('id', 'in', ids).execute()
  return ids.length
}

async function takeBackLikes(db: Database, userId: number): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const rows = await transaction
      .selectFrom('postLikes')
      .select(['postId', 'isLike'])
      .where('userId', '=', userId)
      .limit(BATCH_ROWS)
      .execute()
    for (const { postId, isLike } of rows) {
      const column = isLike === 1 ? 'likeCount' : 'dislikeCount'
      await transaction
        .updateTable('posts')
        .set((eb) => ({ [column]: eb(column, '-', 1) }))
        .where('id', '=', postId)
        .execute()
      await transaction
        .deleteFrom('postLikes')
        .where('userId', '=', userId)
        .where('postId', '=', postId)
        .execute()
    }
    return rows.length
  })
}
