import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'

/** Returns the viewer whose rights the upload has; undefined if the member is banned or being deleted. */
export async function findUploader(db: Database, id: number): Promise<Viewer | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin'])
    .where('id', '=', id)
    .where('bannedAt', 'is', null)
    .where('deletion', 'is', null)
    .executeTakeFirst()
  return row && { ...row, isAdmin: row.isAdmin === 1 }
}
