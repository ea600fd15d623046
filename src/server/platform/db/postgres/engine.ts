import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { MessageBus } from '../../cluster/message-bus.ts'
import { createPostgresCluster } from '../../cluster/postgres/postgres-cluster.ts'
import { ANSWER_MS } from '../../cluster/postgres/postgres-session.ts'
import type { Database, DatabaseTransaction, Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { createClient, createSharedPool, LOCK_WAIT_MS } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { isAway } from './errors.ts'
import { createMoveWatch } from './move-watch.ts'
import { createRetryingTransaction } from './retry-transaction.ts'

/**
 * The server ends the transaction of a disconnected process before those waiting for it count as
 * disconnected too.
 */
const ABANDONED_MS = 8000
const PATIENT_ABANDONED_MS = 30_000
/** Queries queue behind a waiting migration. */
const MIGRATION_LOCK_WAIT_MS = 1000

/**
 * Does not connect yet.
 * @param url `postgres://user:password@host:port/database`, with libpq's parameters
 * @param options.directUrl bypasses the pooler
 * @param options.isPatient statements may take minutes
 */
export function openPostgresDatabase(
  url: string,
  options: { directUrl?: string | undefined; isPatient?: boolean } = {},
): Database {
  const { isPatient = false, directUrl } = options
  const pool = createSharedPool(url, { isPatient, isPooled: directUrl !== undefined })
  const cluster = openCluster(directUrl ?? url)
  const changes = createChangeCount(cluster.bus)
  const watch = createMoveWatch()
  const inTransaction = createRetryingTransaction()
  const engine: Engine = {
    name: 'postgres',
    migrationsFolder: join(import.meta.dirname, 'migrations'),
    listDoneMigrations,
    hasForeignTables,
    countBytes,
    // Left to the server's checksums and constraints.
    listDamage: async () => [],
    async inTransaction(db, work) {
      await watch.read(db)
      return inTransaction(db, work)
    },
    readChangeCount: changes.read,
    readMoveState: watch.read,
    async ignoreChanges(transaction, work) {
      await sql`SELECT set_config('clutch.quiet', 'yes', TRUE)`.execute(transaction)
      return work()
    },
    reserveVideoId,
    async boundLockWaits(transaction) {
      await sql`SELECT set_config('lock_timeout', ${`${MIGRATION_LOCK_WAIT_MS}ms`}::text, TRUE)`.execute(
        transaction,
      )
    },
    cluster,
  }
  const end = async () => {
    await cluster.close()
    await pool.end()
  }
  return new Kysely<Schema>({
    dialect: postgresDialect({
      pool: { ...pool, end },
      engine,
      check: watch.check,
      abandonedMs: isPatient ? PATIENT_ABANDONED_MS : ABANDONED_MS,
      lockWaitMs: isPatient ? 0 : LOCK_WAIT_MS,
    }),
  })
}

function openCluster(url: string) {
  return createPostgresCluster({
    createClient(onNotification) {
      const client = createClient(url, { answerMs: ANSWER_MS })
      client.on('notification', ({ payload }) => onNotification(payload))
      return client
    },
    isAway,
  })
}

/** Commits of all processes, published by triggers; undefined while the bus is down. */
function createChangeCount(bus: MessageBus) {
  let count: number | undefined
  return {
    read(): number | undefined {
      if (count === undefined) {
        count = 0
        bus.onMessage(({ topic }) => {
          if (topic === 'changes') count = (count ?? 0) + 1
        })
        bus.onReconnect(() => {
          count = (count ?? 0) + 1
        })
      }
      return bus.isUp() ? count : undefined
    },
  }
}

async function reserveVideoId(transaction: DatabaseTransaction): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('"videos"', 'id')) AS "id"`.execute(transaction)
  const [row] = rows
  if (!row) throw new Error('The sequence of video ids has no next value.')
  return row.id
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

/** Except those of extensions, and Kysely's after an interrupted start. */
async function hasForeignTables(db: Database): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM "pg_class" AS "table"
    WHERE "relnamespace" = to_regnamespace(quote_ident(current_schema()))
      AND "relkind" IN ('r', 'p', 'f') AND "relname" NOT LIKE 'kysely\\_%'
      AND NOT EXISTS (
        SELECT 1 FROM "pg_depend"
        WHERE "classid" = 'pg_class'::regclass AND "objid" = "table"."oid" AND "deptype" = 'e'
      )
    LIMIT 1`.execute(db)
  return rows.length > 0
}
