import { type Database, type DatabaseTransaction, engineOf } from './engine.ts'

export type { Database, DatabaseTransaction }

/**
 * Grows with every committed write of any process, except quiet ones. On a server it lags behind
 * the bus; await its `sync`.
 * @returns undefined in a transaction or while the bus is down
 */
export function readChangeCount(db: Database): number | undefined {
  return engineOf(db).readChangeCount()
}

/**
 * Serializable. On PostgreSQL `work` is repeated after a serialization failure, so messages,
 * removed files and other effects must follow it.
 */
export function inTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return engineOf(db).inTransaction(db, work)
}

/** Cached answers stay: visitors see the writes a second later. */
export function writeQuietly<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (transaction) =>
    engineOf(db).ignoreChanges(transaction, () => work(transaction)),
  )
}

/** The id of a video that does not exist yet; no other video gets it. */
export function reserveVideoId(transaction: DatabaseTransaction): Promise<number> {
  return engineOf(transaction).reserveVideoId(transaction)
}

/** ISO 8601, UTC, with milliseconds. */
export function timestamp(now: Date = new Date()): string {
  return now.toISOString()
}
