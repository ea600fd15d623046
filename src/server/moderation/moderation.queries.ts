import type { Database } from '../db/database.ts'
import type { Flag } from '../db/schema.ts'

export async function findModeratedVideo(db: Database, id: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'title', 'isAnonymous', 'contentApproved', 'processingState'])
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
}

export async function updateApproval(
  db: Database,
  input: { id: number; contentApproved: Flag; rejectionReason: string | null },
): Promise<void> {
  const { id, ...change } = input
  await db.updateTable('videos').set(change).where('id', '=', id).execute()
}

/** @returns false when there is no such user. */
export async function updateIsAdmin(
  db: Database,
  input: { userId: number; isAdmin: boolean },
): Promise<boolean> {
  const result = await db
    .updateTable('users')
    .set({ isAdmin: input.isAdmin ? 1 : 0 })
    .where('id', '=', input.userId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
