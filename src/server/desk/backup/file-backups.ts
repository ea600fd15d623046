import type { Database } from '#server/platform/db/database.ts'
import { isDatabaseFile } from '#server/platform/db/maintain.ts'
import { AppError } from '#server/platform/errors.ts'

/** What is said where a backup of the site's own is asked for that has its database on a server. */
export const BACKED_UP_ELSEWHERE =
  'The database of this site is on PostgreSQL: back it up with pg_dump, or with the snapshots of whoever runs it.'

/** Whether the site's own backups can hold its database, which they do as a file. */
export function hasFileBackups(db: Database): boolean {
  return isDatabaseFile(db)
}

/** @throws AppError `conflict` where `hasFileBackups` says no */
export function requireFileBackups(db: Database): void {
  if (!hasFileBackups(db)) throw new AppError('conflict', BACKED_UP_ELSEWHERE)
}
