import { join } from 'node:path'
import type { Database } from './engine.ts'
import {
  openSqliteDatabase,
  openSqliteDatabaseToRead,
  openUntrustedSqliteDatabase,
} from './sqlite/engine.ts'

export const DATABASE_FILE = 'clutch.db'

/** The data folder must exist. */
export function openDatabase(dataFolder: string): Database {
  return openSqliteDatabase(join(dataFolder, DATABASE_FILE))
}

/**
 * Opens the database of a data folder or of a backup, also while a server runs.
 * @throws when there is none
 */
export function openDatabaseToRead(folder: string): Database {
  return openSqliteDatabaseToRead(join(folder, DATABASE_FILE))
}

/** As `openDatabaseToRead`, for a file from an untrusted source. */
export function openUntrustedDatabase(folder: string): Database {
  return openUntrustedSqliteDatabase(join(folder, DATABASE_FILE))
}
