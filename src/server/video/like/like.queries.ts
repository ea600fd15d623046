import { type RawBuilder, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import type { Like } from '#shared/schemas/video.schemas.ts'

export const LIKED = {
  video: { table: 'videos', column: 'videoId' },
  clip: { table: 'clips', column: 'clipId' },
  comment: { table: 'comments', column: 'commentId' },
  post: { table: 'posts', column: 'postId' },
} as const

type LikeKey = { kind: keyof typeof LIKED; id: number; userId: number }

/** SQL: how `viewer` likes the current row of `kind`. */
export function likeOf(
  kind: keyof typeof LIKED,
  viewer: Viewer | undefined,
): RawBuilder<Like | null> {
  if (!viewer) return sql`NULL`
  const { table, column } = LIKED[kind]
  return sql`(
    SELECT CASE WHEN "likes"."isLike" = 1 THEN 'like' ELSE 'dislike' END FROM "likes"
    WHERE "likes"."userId" = ${viewer.id} AND ${sql.ref(`likes.${column}`)} = ${sql.ref(`${table}.id`)}
  )`
}

/**
 * Null removes.
 * @returns false when nothing changed
 */
export async function storeLike(
  db: DatabaseTransaction,
  { like, ...key }: LikeKey & { like: Like | null },
): Promise<boolean> {
  const before = await findLike(db, key)
  if (before === like) return false
  if (like === null) await deleteLike(db, key)
  else await upsertLike(db, { ...key, isLike: like === 'like' ? 1 : 0 })
  const change = (counted: Like) => Number(like === counted) - Number(before === counted)
  await db
    .updateTable(LIKED[key.kind].table)
    .set({
      likeCount: sql`"likeCount" + ${change('like')}`,
      dislikeCount: sql`"dislikeCount" + ${change('dislike')}`,
    })
    .where('id', '=', key.id)
    .execute()
  return true
}

export async function findLikeCounts(db: Database, key: LikeKey): Promise<LikeCounts> {
  const counts = await db
    .selectFrom(LIKED[key.kind].table)
    .select(['likeCount', 'dislikeCount'])
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  return { ...counts, myRating: await findLike(db, key) }
}

async function findLike(db: Database, { kind, id, userId }: LikeKey): Promise<Like | null> {
  const row = await db
    .selectFrom('likes')
    .select('isLike')
    .where('userId', '=', userId)
    .where(LIKED[kind].column, '=', id)
    .executeTakeFirst()
  if (!row) return null
  return row.isLike === 1 ? 'like' : 'dislike'
}

async function upsertLike(db: DatabaseTransaction, key: LikeKey & { isLike: Flag }): Promise<void> {
  const { kind, id, userId, isLike } = key
  const { column } = LIKED[kind]
  await db
    .insertInto('likes')
    .values({ userId, [column]: id, isLike, createdAt: timestamp() })
    .onConflict((conflict) =>
      conflict.columns(['userId', column]).where(column, 'is not', null).doUpdateSet({ isLike }),
    )
    .execute()
}

async function deleteLike(db: DatabaseTransaction, { kind, id, userId }: LikeKey): Promise<void> {
  await db
    .deleteFrom('likes')
    .where('userId', '=', userId)
    .where(LIKED[kind].column, '=', id)
    .execute()
}
