import Sqlite from 'better-sqlite3'
import { foldText } from '../words.ts'
import { isDamaged } from './errors.ts'

// Before this version a WAL reset could lose commits that had been acknowledged.
const OLDEST_SQLITE = '3.51.3'
const BUSY_TIMEOUT_MS = 2000

/**
 * Opens a database file as the product's durability rules want it, creating it when it is not there.
 * See docs/decisions/0005-portable-schema.md.
 */
export function openSqlite(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('temp_store = MEMORY')
  // KiB. The system keeps the file's pages anyway; a second copy of them is only memory.
  sqlite.pragma('cache_size = -3000')
  addFunctions(sqlite)
  requireSafeSqlite(sqlite.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '0')
  return sqlite
}

/** What our statements call; nothing in the database does, so that other programs can change it. */
function addFunctions(sqlite: Sqlite.Database): void {
  sqlite.function('foldText', { deterministic: true }, (value) => foldText(String(value)))
}

/**
 * Opens an existing database file, of a running site or of a backup, through which nothing can be
 * changed.
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
 * Opens a database file that somebody else may have made, to read it: what its schema says may call no function that does more
 * than compute, and pages are looked at before they are believed.
 * @throws when there is no such file
 */
export function openSqliteForeign(path: string): Sqlite.Database {
  const sqlite = openSqliteToRead(path)
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
  sqlite.pragma('mmap_size = 0')
  return sqlite
}

/** Whether a database file can be read from end to end; quicker than looking at its indexes, too. */
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

/** Writes a whole, consistent copy of a database to a new file while others go on using it. */
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
