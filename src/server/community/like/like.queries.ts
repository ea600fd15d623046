import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'

/** What is rated, by whom; `column` names the target's column in `likes`. */
export type LikeKey = {
  table: 'videos' | 'comments'
  column: 'videoId' | 'commentId'
  targetId: number
  userId: number
}

export async function findLike(db: Database, key: LikeKey): Promise<Flag | undefined> {
  const row = await db
    .selectFrom('likes')
    .select('isLike')
    .where('userId', '=', key.userId)
    .where(key.column, '=', key.targetId)
    .executeTakeFirst()
  return row?.isLike
}

export async function upsertLike(db: DatabaseTransaction, key: LikeKey & { isLike: Flag }) {
  const { isLike } = key
  await db
    .insertInto('likes')
    .values({ userId: key.userId, [key.column]: key.targetId, isLike, createdAt: timestamp() })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', key.column])
        .where(key.column, 'is not', null)
        .doUpdateSet({ isLike }),
    )
    .execute()
}

export async function deleteLike(db: DatabaseTransaction, key: LikeKey) {
  await db
    .deleteFrom('likes')
    .where('userId', '=', key.userId)
    .where(key.column, '=', key.targetId)
    .execute()
}

export async function addToCounts(
  db: DatabaseTransaction,
  input: { key: LikeKey; likes: number; dislikes: number },
) {
  await db
    .updateTable(input.key.table)
    .set({
      likeCount: sql`"likeCount" + ${input.likes}`,
      dislikeCount: sql`"dislikeCount" + ${input.dislikes}`,
    })
    .where('id', '=', input.key.targetId)
    .execute()
}

export async function findLikeCounts(db: Database, key: LikeKey): Promise<LikeCounts> {
  const counts = await db
    .selectFrom(key.table)
    .select(['likeCount', 'dislikeCount'])
    .where('id', '=', key.targetId)
    .executeTakeFirstOrThrow()
  const like = await findLike(db, key)
  const myRating = like === undefined ? null : like === 1 ? 'like' : 'dislike'
  return { ...counts, myRating }
}
