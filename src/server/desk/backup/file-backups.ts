import type { Database } from '#server/platform/db/database.ts'
import { isDatabaseFile } from '#server/platform/db/maintain.ts'
import { AppError } from '#server/platform/errors.ts'

export const BACKED_UP_ELSEWHERE =
  'The database of this site is on PostgreSQL: back it up with pg_dump, or with the snapshots of whoever runs it.'

export function hasFileBackups(db: Database): boolean {
  return isDatabaseFile(db)
}

/** @throws `conflict` if `hasFileBackups` is false */
export function requireFileBackups(db: Database): void {
  if (!hasFileBackups(db)) throw new AppError('conflict', BACKED_UP_ELSEWHERE)
}
