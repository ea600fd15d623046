import { type Database, type DatabaseTransaction, engineOf } from './engine.ts'

export type { Database, DatabaseTransaction }

/**
 * A number that grows with every committed write of any process, except quiet ones. On a server it lags behind by the
 * messages of the bus, whose `sync` waits for them.
 * @returns undefined while a transaction is open, and while writes of others cannot be known
 */
export function readChangeCount(db: Database): number | undefined {
  return engineOf(db).readChangeCount()
}

/**
 * Runs writes, and the reads that they depend on, as one serializable transaction. After a serialization failure on
 * PostgreSQL `work` runs again from its beginning, so other effects, such as messages and removed files, have to follow
 * the transaction.
 * @throws what `work` throws, and then nothing was written
 */
export function inTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return engineOf(db).inTransaction(db, work)
}

/**
 * Runs a transaction that leaves cached answers valid: visitors may see its writes a second later.
 * @throws what `work` throws, and then nothing was written
 */
export function writeQuietly<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (transaction) =>
    engineOf(db).ignoreChanges(transaction, () => work(transaction)),
  )
}

/** The present moment as it is stored and answered: ISO 8601, UTC, milliseconds. */
export function timestamp(now: Date = new Date()): string {
  return now.toISOString()
}
