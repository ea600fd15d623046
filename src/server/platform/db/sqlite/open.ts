import Sqlite from 'better-sqlite3'
import { foldText } from '../words.ts'
import { isDamaged } from './errors.ts'

// Earlier ones could lose acknowledged commits in a WAL reset.
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 2000

/** Creates a missing file. See docs/decisions/0005-portable-schema.md. */
export function openSqlite(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('temp_store = MEMORY')
  // KiB; more would duplicate the system's file cache.
  sqlite.pragma('cache_size = -3000')
  addFunctions(sqlite)
  requireSafeSqlite(sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0')
  return sqlite
}

/** For statements only, so that other programs can change the database. */
function addFunctions(sqlite: Sqlite.Database): void {
  sqlite.function('foldText', { deterministic: true }, (value) => foldText(String(value)))
}

/**
 * Of a running site or a backup.
 * @throws without a file
 */
export function openSqliteToRead(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('temp_store = MEMORY')
  sqlite.pragma('query_only = ON')
  addFunctions(sqlite)
  return sqlite
}

/**
 * An untrusted schema may only call functions that compute; pages are checked.
 * @throws without a file
 */
export function openUntrustedSqlite(path: string): Sqlite.Database {
  const sqlite = openSqliteToRead(path)
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
  sqlite.pragma('mmap_size = 0')
  return sqlite
}

/** Faster than a check of the indexes. */
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
