import { hasCode } from './error-code.ts'
import { MOVED_MESSAGE } from './move/move-ends.ts'
import * as postgres from './postgres/errors.ts'
import * as sqlite from './sqlite/errors.ts'

/** What an engine, or the disk under files of ours, says that went wrong. */

const WRITING = ['write', 'fsync', 'fdatasync']

export function isUniqueViolation(error: unknown): boolean {
  return sqlite.isUniqueViolation(error) || postgres.isUniqueViolation(error)
}

/** What a new row refers to was deleted after it had been looked up. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlite.isForeignKeyViolation(error) || postgres.isForeignKeyViolation(error)
}

/** Others were in the way, or a server was away; it may succeed when it is tried again. */
export function isBusy(error: unknown): boolean {
  return sqlite.isBusy(error) || postgres.isBusy(error) || postgres.isAway(error)
}

/** Others have tables that a migration needs; it succeeds once they have ended. */
export function isHeldUp(error: unknown): boolean {
  return postgres.isHeldUp(error)
}

/** What is said of `isNotAllowed`. */
export const NOT_ALLOWED =
  'The user of the database on PostgreSQL lacks rights on its tables. Make that user their owner.'

/** The user of a database on a server lacks rights on what is in it. */
export function isNotAllowed(error: unknown): boolean {
  return postgres.isNotAllowed(error)
}

/** What SQLite says of a file that is no database, or another one than it is taken for. */
export const isOfSqlite = sqlite.isOfSqlite

/** The site has moved to another database, and this one takes no writes. */
export function isMovedAway(error: unknown): boolean {
  return error instanceof Error && error.message.includes(MOVED_MESSAGE)
}

/** A text has a character that the engine does not store. */
export function isUnstorableText(error: unknown): boolean {
  return postgres.isUnstorableText(error)
}

export function isDiskFull(error: unknown): boolean {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return true
  return sqlite.isDiskFull(error) || postgres.isDiskFull(error)
}

/** The disk did not take what was written, or did not say that it keeps it. */
export function isFailedWrite(error: unknown): boolean {
  const syscall = hasCode(error, 'EIO') && 'syscall' in error ? error.syscall : undefined
  if (WRITING.includes(String(syscall))) return true
  return sqlite.isFailedWrite(error) || postgres.isFailedWrite(error)
}

/** The file is no database, or pages of the database are broken. */
export function isDamaged(error: unknown): boolean {
  return sqlite.isDamaged(error) || postgres.isDamaged(error)
}
