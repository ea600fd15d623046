import type { Kysely, QueryExecutorProvider, Transaction } from 'kysely'
import type { Cluster, ClusterAdapter } from '../cluster/cluster.ts'
import type { MoveState } from './move/move-state.ts'
import type { Schema } from './schema.ts'

export type Database = Kysely<Schema>
export type DatabaseTransaction = Transaction<Schema>

/**
 * What each database engine does in its own way, for one open database. Expressions in SQL are in its `EngineExpressions`.
 * See docs/decisions/0042-postgresql-beside-sqlite.md.
 */
export type Engine = {
  name: 'sqlite' | 'postgres'
  migrationsFolder: string
  /** The names of the applied migrations in their order; none for a new database. */
  listDoneMigrations: (db: Database) => Promise<string[]>
  /** Whether a database without migrations has tables of another program. Undefined for a file, which is Clutch's own. */
  hasForeignTables?: (db: Database) => Promise<boolean>
  countBytes: (db: Database) => Promise<number>
  /** A sentence for each damage: broken pages, rows that refer to missing ones. */
  listDamage: (db: Database) => Promise<string[]>
  /** As `inTransaction` in `database.ts`. */
  inTransaction: <Result>(
    db: Database,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ) => Promise<Result>
  /** As `readChangeCount` in `database.ts`. */
  readChangeCount: () => number | undefined
  /** Defined while the database is moved elsewhere, and afterwards; it refuses writes then. */
  readMoveState: (db: Database) => Promise<MoveState | undefined>
  /** Leaves the rows that `work` writes within `transaction` out of the change count. */
  ignoreChanges: <Result>(
    transaction: DatabaseTransaction,
    work: () => Promise<Result>,
  ) => Promise<Result>
  /**
   * Makes a statement of a transaction fail with an error that `isHeldUp` recognizes, instead of waiting long for locks:
   * later clients would queue behind it. Undefined for a database of a single process.
   */
  boundLockWaits?: (transaction: Database) => Promise<void>
  cluster: Cluster
}

/** Carries the engine of a database, or of a transaction on it. */
export interface EngineAdapter extends ClusterAdapter {
  readonly engine: Engine
}

export function engineOf(db: QueryExecutorProvider): Engine {
  return (db.getExecutor().adapter as EngineAdapter).engine
}
