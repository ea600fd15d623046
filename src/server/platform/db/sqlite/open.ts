import Sqlite from 'better-sqlite3'
import { foldText } from '../words.ts'
import { isDamaged } from './errors.ts'

// Before this version a WAL reset could lose commits that had been acknowledged.
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 2000

/** Creates the file when it is missing. Durability follows docs/decisions/0005-portable-schema.md. */
export function openSqlite(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('temp_store = MEMORY')
  // KiB. A larger cache would only duplicate the file cache of the system.
  sqlite.pragma('cache_size = -3000')
  addFunctions(sqlite)
  requireSafeSqlite(sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0')
  return sqlite
}

/** Used by statements only; nothing in the schema calls them, so that other programs can change the database. */
function addFunctions(sqlite: Sqlite.Database): void {
  sqlite.function('foldText', { deterministic: true }, (value) => foldText(String(value)))
}

/**
 * Opens the file of a running site or of a backup.
 * @throws when there is no such file
 */
export function openSqliteToRead(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('temp_store = MEMORY')
  sqlite.pragma('query_only = ON')
  addFunctions(sqlite)
  return sqlite
}

/**
 * For a file from an untrusted source: its schema may call no function that does more than compute, and pages are
 * checked when they are read.
 * @throws when there is no such file
 */
export function openUntrustedSqlite(path: string): Sqlite.Database {
  const sqlite = openSqliteToRead(path)
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
  sqlite.pragma('mmap_size = 0')
  return sqlite
}

/** Faster than a check that includes the indexes. */
export async function isSoundFile(path: string): Promise<boolean> {
  const sqlite = new Sqlite(path, { readonly: true, fileMustExist: true })
  try {
    return sqlite.pragma('quick_check(1)', { simple: true }) === 'ok'
  } catch (error) {
    if (isDamaged(error)) return false
    throw error
  } finally {
    sqlite.close()
  }
}

/** Writes a consistent copy to a new file while the database is in use. */
export function copyDatabase(from: string, to: string): void {
  const sqlite = new Sqlite(from, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  try {
    sqlite.prepare('VACUUM INTO ?').run(to)
  } finally {
    sqlite.close()
  }
}

function requireSafeSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  const oldest = OLDEST_SQLITE.split('.').map(Number)
  const different = parts.findIndex((part, index) => part !== oldest[index])
  if (different >= 0 && (parts[different] ?? 0) < (oldest[different] ?? 0)) {
    throw new Error(`SQLite ${version} can lose data; ${OLDEST_SQLITE} or newer is needed.`)
  }
}
