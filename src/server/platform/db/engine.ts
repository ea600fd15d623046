import type { DialectAdapter, Kysely, Transaction } from 'kysely'
import type { Line } from './line.ts'
import type { MoveState } from './move/move-state.ts'
import type { Schema } from './schema.ts'
import type { SharedCounts } from './shared-counts.ts'

export type Database = Kysely<Schema>
export type DatabaseTransaction = Transaction<Schema>

/**
 * What a database engine does in a way of its own, for one open database. What it says in words of its own is in its
 * `EngineExpressions`. See docs/decisions/0042-postgresql-beside-sqlite.md.
 */
export type Engine = {
  name: 'sqlite' | 'postgres'
  /** Where its numbered migrations are. */
  migrationsFolder: string
  /** The migrations that the database has seen, in their order; none of a new one. */
  listDoneMigrations: (db: Database) => Promise<string[]>
  /**
   * Whether a database of which no migration is done has tables, of another program then. None where the name of the file
   * is Clutch's own.
   */
  hasForeignTables?: (db: Database) => Promise<boolean>
  /** The room that it takes where it is. */
  countBytes: (db: Database) => Promise<number>
  /** What is wrong inside the database, a sentence each: damaged pages, rows that point nowhere. */
  listDamage: (db: Database) => Promise<string[]>
  /** As `inTransaction` in `database.ts`. */
  inTransaction: <Result>(
    db: Database,
    work: (transaction: DatabaseTransaction) => Promise<Result>,
  ) => Promise<Result>
  /**
   * A number that grows with every committed write but quiet ones, whoever writes. Undefined while a transaction is
   * open, and where nobody counts.
   */
  readChangeCount: () => number | undefined
  /** Whether the database is being moved elsewhere, or was; statements that write are refused then. */
  readMoveState: (db: Database) => Promise<MoveState | undefined>
  /** Where that number may be late: as `catchUp` of the line, after which it counts all that was committed before. */
  catchUp?: () => Promise<boolean>
  /** Has the rows that `work` writes within `transaction` not count. */
  ignoreChanges: <Result>(
    transaction: DatabaseTransaction,
    work: () => Promise<Result>,
  ) => Promise<Result>
  /**
   * Has a statement of a transaction fail with what `isHeldUp` knows, instead of waiting long for others who use the same
   * tables: everybody who comes later would wait behind it. None where a database has one process.
   */
  boundLockWaits?: (transaction: Database) => Promise<void>
  /** None where a database has one process. */
  sharedCounts?: SharedCounts
  line: Line
}

/** How Kysely hands on which engine a database, or a transaction on it, has. */
export interface EngineAdapter extends DialectAdapter {
  readonly engine: Engine
}

/** @param db as `openDatabase` and its like opened it, or a transaction on it */
export function engineOf(db: Database): Engine {
  return (db.getExecutor().adapter as EngineAdapter).engine
}

/** What this process has of the others on the same database. @param db as `engineOf` */
export function lineOf(db: Database): Line {
  return engineOf(db).line
}
