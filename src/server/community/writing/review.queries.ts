import type { Database } from '#server/platform/db/database.ts'
import { isPublicComment } from './writing.access.ts'

export async function findAccountAge(db: Database, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('createdAt')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.createdAt
}

/** Up to `limit`. */
export async function countPublicComments(
  db: Database,
  input: { userId: number; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('comments')
    .select('id')
    .where('userId', '=', input.userId)
    .where(isPublicComment)
    .limit(input.limit)
    .execute()
  return rows.length
}
