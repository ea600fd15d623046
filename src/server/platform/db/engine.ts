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
  /** Apart from migrations. Undefined for SQLite, whose file is Clutch's. */
  hasForeignTables?: (db: Database) => Promise<boolean>
  countBytes: (db: Database) => Promise<number>
  /** Sentences: broken pages, references to missing rows. */
  listDamage: (db: Database) => Promise<string[]>
  inTransaction: <Result>(
    db: Database,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ) => Promise<Result>
  readChangeCount: () => number | undefined
  /** Undefined unless the database is moving or was moved. */
  readMoveState: (db: Database) => Promise<MoveState | undefined>
  /** Does not count the writes of `work`. */
  ignoreChanges: <Result>(
    transaction: DatabaseTransaction,
    work: () => Promise<Result>,
  ) => Promise<Result>
  /** Takes the next id of `videos`, which no other row will get. */
  reserveVideoId: (transaction: DatabaseTransaction) => Promise<number>
  /**
   * Lets statements that wait for locks fail soon (`isHeldUp`): later clients would queue behind
   * them. Undefined for SQLite.
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
