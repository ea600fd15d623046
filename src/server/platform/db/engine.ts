import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely'
import type { Cluster, ClusterAdapter } from '../cluster/cluster.ts'
import type { MoveState } from './move/move-state.ts'
import type { Schema } from './schema.ts'

export type Database = Kysely<Schema>
export type DatabaseTransaction = Transaction<Schema>

/** What differs between engines, for one open database. See docs/decisions/0042-postgresql-beside-sqlite.md. */
export type Engine = {
  name: 'sqlite' | 'postgres'
  migrationsFolder: string
  /** In order; none for a new database. */
  listDoneMigrations: (db: Database) => Promise<string[]>
  /** Whether a database without migrations has tables of another program. Undefined for SQLite, whose file belongs to Clutch. */
  hasForeignTables?: (db: Database) => Promise<boolean>
  countBytes: (db: Database) => Promise<number>
  /** One sentence for each problem: broken pages, rows that refer to missing ones. */
  listDamage: (db: Database) => Promise<string[]>
  inTransaction: <Result>(
    db: Database,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ) => Promise<Result>
  readChangeCount: () => number | undefined
  /** Undefined unless the database is being moved or was moved; it refuses writes then. */
  readMoveState: (db: Database) => Promise<MoveState | undefined>
  /** Excludes the rows that `work` writes within `transaction` from the change count. */
  ignoreChanges: <Result>(
    transaction: DatabaseTransaction,
    work: () => Promise<Result>,
  ) => Promise<Result>
  /**
   * Makes a statement fail soon with an error that `isHeldUp` recognizes, because later clients would queue behind
   * it while it waits for locks. Undefined for a database of a single process.
   */
  boundLockWaits?: (transaction: Database) => Promise<void>
  cluster: Cluster
}

export interface EngineAdapter extends ClusterAdapter {
  readonly engine: Engine
}

export function engineOf(db: QueryExecutorProvider): Engine {
  return (db.getExecutor().adapter as EngineAdapter).engine
}
