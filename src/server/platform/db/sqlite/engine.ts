import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { createSingleProcess } from '../../cluster/single-process.ts'
import { sizeOf } from '../../durable-files.ts'
import type { Database, DatabaseTransaction, Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { createChangeCount } from './change-count.ts'
import { listDamage } from './damage.ts'
import { sqliteDialect } from './dialect.ts'
import { createMoveWatch } from './move-watch.ts'
import { openSqlite, openSqliteToRead, openUntrustedSqlite } from './open.ts'

/** Creates a missing file. */
export function openSqliteDatabase(path: string): Database {
  const sqlite = openSqlite(path)
  const count = createChangeCount(sqlite)
  const watch = createMoveWatch(sqlite)
  return toDatabase(sqlite, {
    writes: true,
    readChangeCount: count.read,
    ignoreChanges: (_, work) => count.ignore(work),
    readMoveState: async () => watch.read(),
    check: watch.check,
  })
}

/**
 * Also while a server runs.
 * @throws without a file
 */
export function openSqliteDatabaseToRead(path: string): Database {
  return toDatabase(openSqliteToRead(path), { writes: false, ...ALONE })
}

/** @throws without a file */
export function openUntrustedSqliteDatabase(path: string): Database {
  return toDatabase(openUntrustedSqlite(path), { writes: false, ...ALONE })
}

export function openSqliteInMemory(): Database {
  return toDatabase(openSqlite(':memory:'), { writes: true, ...ALONE })
}

const ALONE: Pick<Engine, 'readChangeCount' | 'ignoreChanges' | 'readMoveState'> = {
  readChangeCount: () => undefined,
  ignoreChanges: (_, work) => work(),
  readMoveState: async () => undefined,
}

function toDatabase(
  sqlite: Sqlite.Database,
  {
    writes,
    check,
    ...writing
  }: Pick<Engine, 'readChangeCount' | 'ignoreChanges' | 'readMoveState'> & {
    writes: boolean
    check?: (statement: Sqlite.Statement) => void
  },
): Database {
  // SQLite would block this thread; the driver waits.
  sqlite.pragma('busy_timeout = 0')
  const engine: Engine = {
    name: 'sqlite',
    migrationsFolder: join(import.meta.dirname, 'migrations'),
    listDoneMigrations,
    countBytes: async () => {
      const sizes = await Promise.all([sqlite.name, `${sqlite.name}-wal`].map(sizeOf))
      return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
    },
    listDamage,
    inTransaction: (db, work) => db.transaction().execute(work),
    ...writing,
    reserveVideoId,
    cluster: createSingleProcess(),
  }
  return new Kysely<Schema>({ dialect: sqliteDialect(sqlite, { engine, writes, check }) })
}

/** By the counter of AUTOINCREMENT, which has no row before the first video. */
async function reserveVideoId(transaction: DatabaseTransaction): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    UPDATE "sqlite_sequence" SET "seq" = "seq" + 1 WHERE "name" = 'videos' RETURNING "seq"`.execute(
    transaction,
  )
  if (rows[0]) return rows[0].seq
  await sql`INSERT INTO "sqlite_sequence" ("name", "seq") VALUES ('videos', 1)`.execute(transaction)
  return 1
}

async function listDoneMigrations(db: Database): Promise<string[]> {
  // In an untrusted file it might be a view or virtual table, whose code would run.
  const found = await sql`
    SELECT 1 FROM "sqlite_schema" WHERE "name" = 'kysely_migration' AND "type" = 'table'
      AND lower("sql") LIKE 'create table %'`.execute(db)
  if (found.rows.length === 0) return []
  const done = await sql<{
    name: string
  }>`SELECT "name" FROM "kysely_migration" ORDER BY "name"`.execute(db)
  return done.rows.map((row) => row.name)
}
