import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { RatingCounts } from '#shared/community.schemas.ts'

/** What is rated, by whom; `column` names the target's column in `likes`. */
export type RatingKey = {
  table: 'videos' | 'comments'
  column: 'videoId' | 'commentId'
  targetId: number
  userId: number
}

export async function findRating(db: Database, key: RatingKey): Promise<Flag | undefined> {
  const row = await db
    .selectFrom('likes')
    .select('isLike')
    .where('userId', '=', key.userId)
    .where(key.column, '=', key.targetId)
    .executeTakeFirst()
  return row?.isLike
}

export async function upsertRating(db: DatabaseTransaction, key: RatingKey & { isLike: Flag }) {
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

export async function deleteRating(db: DatabaseTransaction, key: RatingKey) {
  await db
    .deleteFrom('likes')
    .where('userId', '=', key.userId)
    .where(key.column, '=', key.targetId)
    .execute()
}

export async function addToCounts(
  db: DatabaseTransaction,
  input: { key: RatingKey; likes: number; dislikes: number },
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

export async function findRatingCounts(db: Database, key: RatingKey): Promise<RatingCounts> {
  const counts = await db
    .selectFrom(key.table)
    .select(['likeCount', 'dislikeCount'])
    .where('id', '=', key.targetId)
    .executeTakeFirstOrThrow()
  const rating = await findRating(db, key)
  const myRating = rating === undefined ? null : rating === 1 ? 'like' : 'dislike'
  return { ...counts, myRating }
}
