import Sqlite from 'better-sqlite3'
import { hasCode } from '../error-code.ts'

const FAILED_WRITES = ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC']

export function isUniqueViolation(error: unknown): boolean {
  return (
    hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE') || hasCode(error, 'SQLITE_CONSTRAINT_PRIMARYKEY')
  )
}

export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, 'SQLITE_CONSTRAINT_FOREIGNKEY')
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY') || hasCode(error, 'SQLITE_LOCKED')
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'SQLITE_FULL')
}

export function isFailedWrite(error: unknown): boolean {
  return FAILED_WRITES.some((code) => hasCode(error, code))
}

export function isSqliteError(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError
}

export function isDamaged(error: unknown): boolean {
  return hasCode(error, 'SQLITE_NOTADB') || hasCode(error, 'SQLITE_CORRUPT')
}
