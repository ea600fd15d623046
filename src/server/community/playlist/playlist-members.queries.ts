import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { NamedMember } from '#shared/schemas/visibility.schemas.ts'

/** By name, without banned members. */
export async function listPlaylistMembers(
  db: Database,
  playlistId: number,
): Promise<NamedMember[]> {
  return db
    .selectFrom('playlistMembers')
    .innerJoin('users', 'users.id', 'playlistMembers.userId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .where('playlistMembers.playlistId', '=', playlistId)
    .where('users.bannedAt', 'is', null)
    .orderBy('users.username')
    .execute()
}

export async function replacePlaylistMembers(
  db: DatabaseTransaction,
  { playlistId, userIds }: { playlistId: number; userIds: number[] },
): Promise<void> {
  await db
    .deleteFrom('playlistMembers')
    .where('playlistId', '=', playlistId)
    .where('userId', 'not in', listOf(userIds))
    .execute()
  if (userIds.length === 0) return
  await db
    .insertInto('playlistMembers')
    .values(userIds.map((userId) => ({ playlistId, userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
