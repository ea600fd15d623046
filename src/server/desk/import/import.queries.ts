import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'

/** Ignores case, and leaves out members who are banned or being deleted. */
export async function findImportOwner(db: Database, username: string): Promise<Viewer | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'displayName', 'isAdmin'])
    .where('username', '=', username)
    .where('bannedAt', 'is', null)
    .where('deletion', 'is', null)
    .executeTakeFirst()
  return row && { ...row, isAdmin: row.isAdmin === 1 }
}
