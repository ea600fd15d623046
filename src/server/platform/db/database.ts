import { type Database, type DatabaseTransaction, engineOf } from './engine.ts'

export type { Database, DatabaseTransaction }

/**
 * Grows with every committed write of any process, except quiet ones. On a server it lags behind by the messages of
 * the bus, whose `sync` waits for them.
 * @returns undefined while a transaction is open or the bus is down
 */
export function readChangeCount(db: Database): number | undefined {
  return engineOf(db).readChangeCount()
}

/**
 * Serializable. After a serialization failure on PostgreSQL `work` runs again from its beginning, so other effects,
 * such as messages and removed files, must follow the transaction.
 * @throws what `work` throws, after a rollback
 */
export function inTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return engineOf(db).inTransaction(db, work)
}

/**
 * A transaction that leaves cached answers valid: visitors may see its writes a second later.
 * @throws what `work` throws, after a rollback
 */
export function writeQuietly<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (transaction) =>
    engineOf(db).ignoreChanges(transaction, () => work(transaction)),
  )
}

/** ISO 8601, UTC, with milliseconds, as stored and answered. */
export function timestamp(now: Date = new Date()): string {
  return now.toISOString()
}
