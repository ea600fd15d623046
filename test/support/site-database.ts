import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { DATABASE_FILE, openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { createMigratedDatabase, dropDatabase } from './postgres-databases.ts'
import { changeRows } from './rows.ts'

/** Whether the sites of tests have their databases on PostgreSQL: `TEST_DATABASE=postgres`. */
export const isOnPostgres = process.env.TEST_DATABASE === 'postgres'
/** Whether this is the run on PostgreSQL of a file that `npm test` runs on SQLite too. */
const isSecondRun = process.env.TEST_TRANSACTIONS === 'twice'

/** The address of each data folder's database. */
const addresses = new Map<string, string>()

/** Copied for each new site, because migrating takes ten times as long. */
let template: Promise<string> | undefined

/**
 * Opens the migrated database of a test's site: the file in its data folder, or with `TEST_DATABASE=postgres` one of its
 * own on a server. The same folder has the same database until `dropSiteDatabase`.
 */
export async function openSiteDatabase(dataFolder: string): Promise<Database> {
  if (isOnPostgres) {
    const known = addresses.get(dataFolder)
    const url = known ?? (await createMigratedDatabase())
    addresses.set(dataFolder, url)
    const db = openPostgresDatabase(url)
    if (known === undefined) await giveIdentity(db)
    return isSecondRun ? runEachTwice(db) : db
  }
  const path = join(dataFolder, DATABASE_FILE)
  if (!existsSync(path)) {
    template ??= createTemplate()
    await copyFile(await template, path)
    const db = await openMigrated(dataFolder)
    await giveIdentity(db)
    return db
  }
  return openMigrated(dataFolder)
}

/** By this secret a store knows the site that it belongs to: copies of one template are different sites. */
const giveIdentity = (db: Database) =>
  changeRows(db, 'siteSettings', {
    where: {},
    values: { viewerSecret: randomBytes(32).toString('hex') },
  })

/** @returns the path of a migrated database file, which is deleted when this process exits */
async function createTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = await openMigrated(folder)
  await db.destroy()
  return join(folder, DATABASE_FILE)
}

async function openMigrated(dataFolder: string): Promise<Database> {
  const db = openDatabase(dataFolder)
  // A test's folder need not survive a power cut.
  await sql`PRAGMA synchronous = OFF`.execute(db)
  await migrateToLatest(db)
  return db
}

/**
 * Has the work of each transaction run once for nothing and then again, as after a failure to serialize: whatever a
 * service does besides its rows would be there twice.
 */
function runEachTwice(db: Database): Database {
  const engine = engineOf(db)
  const { inTransaction } = engine
  engine.inTransaction = (connection, work) =>
    inTransaction(connection, async (transaction) => {
      await sql`SAVEPOINT "first"`.execute(transaction)
      await work(transaction)
      await sql`ROLLBACK TO SAVEPOINT "first"`.execute(transaction)
      return work(transaction)
    })
  return db
}

/** A further connection to the database of a data folder that has one, as another program has it. */
export function openSiteDatabaseAgain(dataFolder: string): Database {
  const url = addresses.get(dataFolder)
  return url === undefined ? openDatabase(dataFolder) : openPostgresDatabase(url)
}

/** As `openSiteDatabaseAgain`, for reading alone. */
export function openSiteDatabaseToRead(dataFolder: string): Database {
  const url = addresses.get(dataFolder)
  return url === undefined ? openDatabaseToRead(dataFolder) : openPostgresDatabase(url)
}

/** Has the next row of a table get this id. */
export async function setNextId(
  db: Database,
  { table, id }: { table: 'users' | 'videos'; id: number },
): Promise<void> {
  const statement = isOnPostgres
    ? sql`SELECT setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${id}, false)`
    : sql`INSERT INTO "sqlite_sequence" ("name", "seq") VALUES (${table}, ${id - 1})`
  if (!isOnPostgres) await sql`DELETE FROM "sqlite_sequence" WHERE "name" = ${table}`.execute(db)
  await statement.execute(db)
}

/**
 * Has the database refuse updates of a table that make a row so.
 * @returns what ends that
 */
export async function refuseUpdates(
  db: Database,
  { table, when }: { table: string; when: RawBuilder<unknown> },
): Promise<() => Promise<unknown>> {
  const trigger = sql`CREATE TRIGGER "refuse" BEFORE UPDATE ON ${sql.table(table)} FOR EACH ROW WHEN (${when})`
  if (isOnPostgres) {
    await sql`CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`.execute(db)
    await sql`${trigger} EXECUTE FUNCTION "refuse"()`.execute(db)
    return () => sql`DROP FUNCTION "refuse" CASCADE`.execute(db)
  }
  await sql`${trigger} BEGIN SELECT RAISE(ABORT, 'refused'); END`.execute(db)
  return () => sql`DROP TRIGGER "refuse"`.execute(db)
}

/** What is in the data folder goes with it. */
export async function dropSiteDatabase(dataFolder: string): Promise<void> {
  const url = addresses.get(dataFolder)
  if (url === undefined) return
  addresses.delete(dataFolder)
  await dropDatabase(url)
}
