import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Insertable, Kysely } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { AppError } from '../errors.ts'
import { type Database, type DatabaseTransaction, type Engine, engineOf, lineOf } from './engine.ts'
import { isHeldUp } from './errors.ts'
import { isFileLocked, lockFile } from './file-lock.ts'
import { MOVE_LOCK_FILE } from './move/move-ends.ts'
import { requireSettled } from './move/moved-site.ts'
import { findNeededMigration, readMigrationsOf, requireNodesGone } from './needed-migration.ts'
import type { Schema } from './schema.ts'
import { type BulkValue, type BulkWriter, writeInBulk } from './sqlite/bulk.ts'
import {
  openSqliteDatabase,
  openSqliteDatabaseOfOthers,
  openSqliteDatabaseToRead,
} from './sqlite/engine.ts'
import { copyDatabase } from './sqlite/open.ts'

export type { Database, DatabaseTransaction }

export const DATABASE_FILE = 'clutch.db'
/** Where the site's own backups lie, in the data folder. */
export const BACKUPS_FOLDER = 'backups'
/**
 * Held by the process that owns the data folder, by a backup, by a move of media, and by one of the database; empty, and
 * never removed.
 */
export const LOCK_FILES = {
  owner: 'clutch.lock',
  backup: 'backup.lock',
  move: 'move.lock',
  databaseMove: MOVE_LOCK_FILE,
} as const

const BACKUP_WAIT_MS = 2000
/** Between two tries of a migration that others hold up; it doubles from one to the next, up to the longest. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 4000
const HELD_UP =
  'The update of the database waits for another program that uses its tables, such as a dump.'
/** The first migration of what was never released. */
const BEFORE_RELEASE = '001-initial-schema'
/** What is said where a program finds a database that it does not know. */
export const NEWER_VERSION =
  'The database was written by a newer version of Clutch. Update Clutch first.'
const UNRELEASED =
  'The database was written by a Clutch from before its first release, which this one cannot read. Start with an empty data folder.'

/** Opens `clutch.db` in the data folder; the folder must exist. */
export function openDatabase(dataFolder: string): Database {
  return openSqliteDatabase(join(dataFolder, DATABASE_FILE))
}

/**
 * Reports whether a database that `openDatabase` opened was changed: a number that grows with every committed write but
 * quiet ones, whoever writes. Undefined while a transaction is open.
 */
export function readChangeCount(db: Database): number | undefined {
  return engineOf(db).readChangeCount()
}

/**
 * Runs writes, and the reads that they depend on, as one: all of it is committed, as if nobody else had written
 * meanwhile, or nothing. PostgreSQL may find at any point that somebody had, and then `work` runs again from its
 * beginning. So whatever it does besides, such as telling others or removing files, comes after this.
 * @throws what `work` throws, and then nothing was written
 */
export function inTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return engineOf(db).inTransaction(db, work)
}

/**
 * Runs writes as a transaction that cached answers outlive: what visitors are shown may miss them for a second.
 * @throws what `work` throws, and then nothing was written
 */
export function writeQuietly<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (transaction) =>
    engineOf(db).ignoreChanges(transaction, () => work(transaction)),
  )
}

/**
 * Opens the database of a data folder or of a backup for reading alone, also while a server runs.
 * @throws when there is none
 */
export function openDatabaseToRead(folder: string): Database {
  return openSqliteDatabaseToRead(join(folder, DATABASE_FILE))
}

/** The same for a folder whose database somebody else may have made. */
export function openDatabaseOfOthers(folder: string): Database {
  return openSqliteDatabaseOfOthers(join(folder, DATABASE_FILE))
}

/**
 * Brings the database to the newest schema, all of it or nothing. As long as others use the tables that it needs, such as
 * a dump, it tries again and again, and leaves room in between for those who wait behind it.
 * @throws when a migration fails; AppError `conflict` when the database was written by a newer version, or others run
 * on it that a migration leaves no room for
 */
export async function migrateToLatest(db: Database): Promise<void> {
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await applyMigrations(db)
    } catch (error) {
      if (!isHeldUp(error)) throw error
    }
    if (wait === FIRST_PAUSE_MS) process.emitWarning(HELD_UP)
    await pause(wait)
  }
}

async function applyMigrations(db: Database): Promise<void> {
  await requireKnownSchema(db)
  const { done, pending } = await listMigrations(db)
  if (pending.length === 0) return
  const provider = readMigrationsOf(engineOf(db).migrationsFolder)
  if (done.length > 0) await requireNodesGone(db, { provider, pending })
  const migrator = new Migrator({
    db: db as unknown as Kysely<unknown>,
    provider: boundLockWaits(provider, engineOf(db)),
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** The transaction of migrations begins with it: Kysely sets a bound of its own before that. */
function boundLockWaits(provider: MigrationProvider, engine: Engine): MigrationProvider {
  const bound = ({ up, ...rest }: Migration): Migration => ({
    ...rest,
    async up(db) {
      await engine.boundLockWaits?.(db)
      await up(db)
    },
  })
  return {
    async getMigrations() {
      const found = Object.entries(await provider.getMigrations())
      return Object.fromEntries(found.map(([name, migration]) => [name, bound(migration)]))
    },
  }
}

/** Names of the migrations that a database has seen, and of those that it has not, in their order. */
export async function listMigrations(db: Database): Promise<{ done: string[]; pending: string[] }> {
  const done = await engineOf(db).listDoneMigrations(db)
  const known = await listKnownMigrations(db)
  return { done, pending: known.filter((name) => !done.includes(name)) }
}

/**
 * @throws AppError `conflict` when the database was written by a newer version that leaves no room for this one, or by
 * one from before the first release; nothing is changed
 */
export async function requireKnownSchema(db: Database): Promise<void> {
  const known = await listKnownMigrations(db)
  const done = await engineOf(db).listDoneMigrations(db)
  if (done.every((name) => known.includes(name))) return
  if (done.includes(BEFORE_RELEASE)) throw new AppError('conflict', UNRELEASED)
  if (lineOf(db).self !== null && known.every((name) => done.includes(name))) {
    // Nodes are updated one by one.
    if (leavesRoom(await findNeededMigration(db), known)) return
  }
  throw new AppError('conflict', NEWER_VERSION)
}

/** Whether a program with the `known` migrations may run on a database. @param needed as `findNeededMigration` */
export function leavesRoom(needed: string | null, known: string[]): boolean {
  return needed === null || known.includes(needed)
}

/**
 * @throws AppError `conflict` unless the database is of this very version, and the one that a site is in; nothing is
 * changed
 */
export async function requireCurrentSchema(db: Database): Promise<void> {
  await requireKnownSchema(db)
  await requireSettled(db)
  if ((await listMigrations(db)).pending.length === 0) return
  const sentence =
    'The database was written by an older version of Clutch. Start the site once first.'
  throw new AppError('conflict', sentence)
}

/** The names of the migrations that this program has for a database's engine, in their order. */
export async function listKnownMigrations(db: Database): Promise<string[]> {
  const files = await fs.readdir(engineOf(db).migrationsFolder)
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/**
 * Takes the data folder for this process.
 * @returns a function that gives it free, or undefined when another process has it.
 */
export function lockDataFolder(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.owner))
}

/** Whether a server, or a command that needs the site stopped, has the data folder. */
export function dataFolderIsTaken(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.owner))
}

/**
 * Says that a backup reads the data folder: until it ends, no file in `media/` is deleted. A backup
 * whose process died has ended.
 * @returns a function that ends it, or undefined when another backup is running
 */
export function beginBackup(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.backup), { waitMs: BACKUP_WAIT_MS })
}

/**
 * Whether files in `media/` must stay for now. A row is changed first and this asked second: then a
 * backup either sees the change in its snapshot, or keeps the files.
 */
export function backupIsRunning(dataFolder: string): boolean {
  return isFileLocked(join(dataFolder, LOCK_FILES.backup))
}

/** Says that media are moved to another store. @returns a function that ends it, or undefined when another move is under way */
export function beginMove(dataFolder: string): (() => void) | undefined {
  return lockFile(join(dataFolder, LOCK_FILES.move))
}

/** Writes a whole, consistent copy of a site's database to a new file, also while the site runs. */
export function copyDatabaseOf(dataFolder: string, target: string): void {
  copyDatabase(join(dataFolder, DATABASE_FILE), target)
}

/** Inserts rows of known columns, the rest of each row being defaults. */
export type RowWriter = {
  /** The id that the next row of a table would get. */
  nextId: (table: keyof Schema) => number
  prepareInsert: <
    Table extends keyof Schema,
    Column extends keyof Insertable<Schema[Table]> & string,
  >(
    table: Table,
    columns: readonly Column[],
  ) => (row: Pick<Insertable<Schema[Table]>, Column>) => void
}

/**
 * Fills a stopped site's database in one transaction, at some 100,000 rows a second.
 * @throws what `work` throws, and then nothing was inserted
 */
export function fillDatabase<Result>(
  dataFolder: string,
  work: (writer: RowWriter) => Result,
): Result {
  return writeInBulk(join(dataFolder, DATABASE_FILE), (bulk) => work(createRowWriter(bulk)))
}

function createRowWriter(bulk: BulkWriter): RowWriter {
  return {
    nextId: bulk.nextId,
    prepareInsert(table, columns) {
      const insert = bulk.prepareInsert(table, columns)
      return (row) => insert(columns.map((column) => row[column] as BulkValue))
    },
  }
}

/** The present moment as it is stored and answered: ISO 8601, UTC, milliseconds. */
export function timestamp(now: Date = new Date()): string {
  return now.toISOString()
}
