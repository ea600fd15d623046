import { join } from 'node:path'
import type { Database } from './engine.ts'
import {
  openSqliteDatabase,
  openSqliteDatabaseToRead,
  openUntrustedSqliteDatabase,
} from './sqlite/engine.ts'

export const DATABASE_FILE = 'clutch.db'

/** The folder must exist. */
export function openDatabase(dataFolder: string): Database {
  return openSqliteDatabase(join(dataFolder, DATABASE_FILE))
}

/**
 * Also while a server runs.
 * @throws without a database
 */
export function openDatabaseToRead(folder: string): Database {
  return openSqliteDatabaseToRead(join(folder, DATABASE_FILE))
}

export function openUntrustedDatabase(folder: string): Database {
  return openUntrustedSqliteDatabase(join(folder, DATABASE_FILE))
}
