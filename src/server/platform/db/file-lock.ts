import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { isBusy } from './errors.ts'

/** Garbage collection would close the connection and release its lock. */
const heldLocks = new Set<Sqlite.Database>()

/**
 * Until the process ends, even by a kill (docs/decisions/0003-one-synchronous-connection.md).
 * @param options.waitMs for another process; 0 by default
 * @returns a function that releases it; undefined when another process has it
 */
export function lockFile(
  path: string,
  options: { waitMs?: number } = {},
): (() => void) | undefined {
  const sqlite = new Sqlite(path, { timeout: options.waitMs ?? 0 })
  try {
    sqlite.pragma('locking_mode = EXCLUSIVE')
    sqlite.exec('BEGIN EXCLUSIVE')
    heldLocks.add(sqlite)
    return () => {
      heldLocks.delete(sqlite)
      sqlite.close()
    }
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/** Neither waits nor creates the file. */
export function isFileLocked(path: string): boolean {
  if (!existsSync(path)) return false
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: 0 })
  try {
    sqlite.prepare('SELECT count(*) FROM "sqlite_schema"').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    sqlite.close()
  }
}
