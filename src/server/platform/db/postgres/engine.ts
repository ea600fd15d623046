import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Database, Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { postgresDialect, valueParsers } from './dialect.ts'
import { createMoveWatch } from './move-watch.ts'
import { createRetryingTransaction } from './retry-transaction.ts'

const CONNECTIONS_MAX = 10
/** Also how long a statement waits for a connection that is free. */
const CONNECT_MS = 5000

/** What a program calls itself in `pg_stat_activity`. */
const APPLICATION = 'clutch'

/**
 * Opens a database of a PostgreSQL server, of which nothing is asked yet.
 * @param url `postgres://user:password@host:port/database`, with the parameters that libpq knows
 */
export function openPostgresDatabase(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: APPLICATION,
    types: valueParsers,
  })
  // Of a connection that nobody uses: the next one to need it is told.
  pool.on('error', () => {})
  const watch = createMoveWatch()
  const inTransaction = createRetryingTransaction()
  const engine: Engine = {
    name: 'postgres',
    migrationsFolder: join(import.meta.dirname, 'migrations'),
    listDoneMigrations,
    countBytes,
    // Its server looks after its pages, and its constraints after what rows point to.
    listDamage: async () => [],
    async inTransaction(db, work) {
      await watch.read(db)
      return inTransaction(db, work)
    },
    readChangeCount: () => undefined,
    readMoveState: watch.read,
    ignoreChanges: (work) => work(),
  }
  return new Kysely<Schema>({
    dialect: postgresDialect({ pool, engine, check: watch.check }),
  })
}

async function countBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database()) AS "bytes"`.execute(db)
  return rows[0]?.bytes ?? 0
}

async function listDoneMigrations(db: Database): Promise<string[]> {
  const found = await sql<{ name: string | null }>`
    SELECT to_regclass('kysely_migration')::text AS "name"`.execute(db)
  if (!found.rows[0]?.name) return []
  const done = await sql<{ name: string }>`
    SELECT "name" FROM "kysely_migration" ORDER BY "name" COLLATE "C"`.execute(db)
  return done.rows.map((row) => row.name)
}
