import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'

export async function listVideoMembers(db: Database, videoId: number): Promise<NamedMember[]> {
  return db
    .selectFrom('videoMembers')
    .innerJoin('users', 'users.id', 'videoMembers.userId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .where('videoMembers.videoId', '=', videoId)
    .where('users.bannedAt', 'is', null)
    .orderBy('users.username')
    .execute()
}

export async function deleteVideoMembers(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db.deleteFrom('videoMembers').where('videoId', '=', videoId).execute()
}

export async function replaceVideoMembers(
  db: DatabaseTransaction,
  { videoId, userIds }: { videoId: number; userIds: number[] },
): Promise<{ added: number[]; removed: number[] }> {
  const gone = await db
    .deleteFrom('videoMembers')
    .where('videoId', '=', videoId)
    .where('userId', 'not in', listOf(userIds))
    .returning('userId')
    .execute()
  const removed = gone.map(({ userId }) => userId)
  if (userIds.length === 0) return { added: [], removed }
  const rows = await db
    .insertInto('videoMembers')
    .values(userIds.map((userId) => ({ videoId, userId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .execute()
  return { added: rows.map(({ userId }) => userId), removed }
}
