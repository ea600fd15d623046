import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { isBusy } from './errors.ts'

/** A connection that nothing refers to is closed by the garbage collector, and its lock with it. */
const heldLocks = new Set<Sqlite.Database>()

/**
 * Takes the folder for this process alone, for as long as it lives: the operating system drops the
 * lock even when the process is killed (docs/decisions/0003-one-synchronous-connection.md).
 * @param options.waitMs how long to wait for another process to give it free; 0 by default
 * @returns a function that gives the folder free, or undefined when another process has it.
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

/** Whether a process holds the lock that `lockFile` takes; it neither waits nor makes the file. */
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
