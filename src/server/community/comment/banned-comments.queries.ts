import { type SqlBool, sql } from 'kysely'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'

export type OtherMark = { from: 'banned' | null; to: 'banned' | null }

export async function listCommentIdsOf(
  db: DatabaseTransaction,
  { userId, afterId, limit }: { userId: number; afterId: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateBannedComments(
  db: DatabaseTransaction,
  input: { userId: number; afterId: number; upToId: number } & OtherMark,
): Promise<void> {
  const { userId, from, to } = input
  // A node of an earlier version leaves the work of an act that it undoes.
  const isWanted =
    to === null ? sql<SqlBool>`"bannedAt" IS NULL` : sql<SqlBool>`"bannedAt" IS NOT NULL`
  await db
    .updateTable('comments')
    .set({ withheld: to })
    .where('userId', '=', userId)
    .where('id', '>', input.afterId)
    .where('id', '<=', input.upToId)
    .where('withheld', from === null ? 'is' : '=', from)
    .where((eb) =>
      eb.exists(eb.selectFrom('users').select('id').where('users.id', '=', userId).where(isWanted)),
    )
    .execute()
}
