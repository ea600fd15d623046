import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely'
import type { Cluster, ClusterAdapter } from '../cluster/cluster.ts'
import type { MoveState } from './move/move-state.ts'
import type { Schema } from './schema.ts'

export type Database = Kysely<Schema>
export type DatabaseTransaction = Transaction<Schema>

/** See docs/decisions/0042-postgresql-beside-sqlite.md. */
export type Engine = {
  name: 'sqlite' | 'postgres'
  migrationsFolder: string
  /** In order; none for a new database. */
  listDoneMigrations: (db: Database) => Promise<string[]>
  /** Without migrations. Undefined for SQLite, whose file belongs to Clutch. */
  hasForeignTables?: (db: Database) => Promise<boolean>
  countBytes: (db: Database) => Promise<number>
  /** One sentence for each problem: broken pages, rows that refer to missing ones. */
  listDamage: (db: Database) => Promise<string[]>
  inTransaction: <Result>(
    db: Database,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ) => Promise<Result>
  readChangeCount: () => number | undefined
  /** Undefined unless the database is being moved or was moved. */
  readMoveState: (db: Database) => Promise<MoveState | undefined>
  /** Excludes rows that `work` writes from the change count. */
  ignoreChanges: <Result>(
    transaction: DatabaseTransaction,
    work: () => Promise<Result>,
  ) => Promise<Result>
  /** Lets a statement that waits for locks fail soon, by `isHeldUp`, because later clients would queue behind it. Undefined for SQLite. */
  boundLockWaits?: (transaction: Database) => Promise<void>
  cluster: Cluster
}

export interface EngineAdapter extends ClusterAdapter {
  readonly engine: Engine
}

export function engineOf(db: QueryExecutorProvider): Engine {
  return (db.getExecutor().adapter as EngineAdapter).engine
}
