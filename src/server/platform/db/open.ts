import { join } from 'node:path'
import type { Database } from './engine.ts'
import {
  openSqliteDatabase,
  openSqliteDatabaseOfOthers,
  openSqliteDatabaseToRead,
} from './sqlite/engine.ts'

export const DATABASE_FILE = 'clutch.db'

/** Opens `clutch.db` in the data folder; the folder must exist. */
export function openDatabase(dataFolder: string): Database {
  return openSqliteDatabase(join(dataFolder, DATABASE_FILE))
}

/**
 * Opens the database of a data folder or of a backup for reading only, also while a server runs.
 * @throws when there is none
 */
export function openDatabaseToRead(folder: string): Database {
  return openSqliteDatabaseToRead(join(folder, DATABASE_FILE))
}

/** As `openDatabaseToRead`, for a database file from an untrusted source. */
export function openDatabaseOfOthers(folder: string): Database {
  return openSqliteDatabaseOfOthers(join(folder, DATABASE_FILE))
}
