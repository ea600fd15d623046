import { hasCode } from './error-code.ts'
import { MOVED_MESSAGE } from './move/move-ends.ts'
import * as postgres from './postgres/errors.ts'
import * as sqlite from './sqlite/errors.ts'

const WRITING = ['write', 'fsync', 'fdatasync']

export function isUniqueViolation(error: unknown): boolean {
  return sqlite.isUniqueViolation(error) || postgres.isUniqueViolation(error)
}

/** A referenced row was deleted meanwhile. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlite.isForeignKeyViolation(error) || postgres.isForeignKeyViolation(error)
}

/** A conflict or an unreachable server: a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return sqlite.isBusy(error) || postgres.isBusy(error) || postgres.isAway(error)
}

/** Others hold locks: a retry may succeed. */
export function isHeldUp(error: unknown): boolean {
  return postgres.isHeldUp(error)
}

export const NOT_ALLOWED =
  'The user of the database on PostgreSQL lacks rights on its tables. Make that user their owner.'

export function isNotAllowed(error: unknown): boolean {
  return postgres.isNotAllowed(error)
}

export const isSqliteError = sqlite.isSqliteError

export function isMovedAway(error: unknown): boolean {
  return error instanceof Error && error.message.includes(MOVED_MESSAGE)
}

export function isUnstorableText(error: unknown): boolean {
  return postgres.isUnstorableText(error)
}

export function isDiskFull(error: unknown): boolean {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return true
  return sqlite.isDiskFull(error) || postgres.isDiskFull(error)
}

/** The disk refused a write, or did not confirm it. */
export function isFailedWrite(error: unknown): boolean {
  const syscall = hasCode(error, 'EIO') && 'syscall' in error ? error.syscall : undefined
  if (WRITING.includes(String(syscall))) return true
  return sqlite.isFailedWrite(error) || postgres.isFailedWrite(error)
}

/** No database, or broken pages. */
export function isDamaged(error: unknown): boolean {
  return sqlite.isDamaged(error) || postgres.isDamaged(error)
}
