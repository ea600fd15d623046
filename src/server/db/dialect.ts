import Sqlite from 'better-sqlite3'
import { type Dialect, SqliteDialect } from 'kysely'

// Before this version a WAL reset could lose commits that had been acknowledged.
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 2000
const PREPARED_STATEMENTS_MAX = 1000

/** Opens a database file as the product's durability rules want it, creating it when it is not there. */
export function openSqlite(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('temp_store = MEMORY')
  sqlite.pragma('cache_size = -32000')
  requireSafeSqlite(sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0')
  return sqlite
}

/** A dialect that keeps its prepared statements: preparing costs more than most of our reads. */
export function sqliteDialect(sqlite: Sqlite.Database): Dialect {
  const statements = new Map<string, Sqlite.Statement>()
  const prepare = (source: string): Sqlite.Statement => {
    const known = statements.get(source)
    if (known) return known
    const statement = sqlite.prepare(source)
    if (statements.size >= PREPARED_STATEMENTS_MAX) statements.clear()
    statements.set(source, statement)
    return statement
  }
  return new SqliteDialect({ database: { prepare, close: () => sqlite.close() } as never })
}

/**
 * Takes the folder for this process alone, for as long as it lives: the operating system drops the
 * lock even when the process is killed.
 * @returns a function that gives the folder free, or undefined when another process has it.
 */
export function lockFile(path: string): (() => void) | undefined {
  const sqlite = new Sqlite(path, { timeout: 0 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    sqlite.exec('BEGIN EXCLUSIVE')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return (
    hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE') || hasCode(error, 'SQLITE_CONSTRAINT_PRIMARYKEY')
  )
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY') || hasCode(error, 'SQLITE_LOCKED')
}

export function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'SQLITE_FULL') || hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')
}

function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return typeof error.code === 'string' && error.code.startsWith(code)
}

function requireSafeSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  const oldest = OLDEST_SQLITE.split('.').map(Number)
  const different = parts.findIndex((part, index) => part !== oldest[index])
  if (different >= 0 && (parts[different] ?? 0) < (oldest[different] ?? 0)) {
    throw new Error(`SQLite ${version} can lose data; ${OLDEST_SQLITE} or newer is needed.`)
  }
}
