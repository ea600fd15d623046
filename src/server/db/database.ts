import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type Transaction } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { lockFile, openSqlite, sqliteDialect } from './dialect.ts'
import type { Schema } from './schema.ts'

export type Database = Kysely<Schema>
export type DatabaseTransaction = Transaction<Schema>

/** Opens `clutch.db` in the data folder; the folder must exist. */
export function openDatabase(dataFolder: string): Database {
  return new Kysely<Schema>({ dialect: sqliteDialect(openSqlite(join(dataFolder, 'clutch.db'))) })
}

/** The migrations beside this file, by number. */
export function createMigrator(db: Kysely<never> | Database): Migrator {
  return new Migrator({
    db: db as Kysely<unknown>,
    provider: new FileMigrationProvider({
      fs,
      path: { join },
      migrationFolder: join(import.meta.dirname, 'migrations'),
    }),
  })
}

/**
 * Brings the database to the newest schema.
 * @throws when a migration fails, or when the database was written by a newer version.
 */
export async function migrateToLatest(db: Database): Promise<void> {
  const { error } = await createMigrator(db).migrateToLatest()
  if (!error) return
  if (error instanceof Error && error.message.includes('is missing')) {
    throw new Error('The database was written by a newer version of Clutch. Update Clutch first.')
  }
  throw error
}

/**
 * Takes the data folder for this process.
 * @returns a function that gives it free, or undefined when another process has it.
 */
export function lockDataFolder(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, 'clutch.lock'))
}

/** The present moment as it is stored and answered: ISO 8601, UTC, milliseconds. */
export function timestamp(now: Date = new Date()): string {
  return now.toISOString()
}
