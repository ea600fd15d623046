import { setTimeout } from 'node:timers/promises'
import type { Database, DatabaseTransaction } from '../engine.ts'
import { isSerializationFailure, isUniqueViolation } from './errors.ts'

const ATTEMPTS = 12
/** Before the second attempt, at most; it doubles from one to the next, up to the longest. */
const FIRST_PAUSE_MS = 4
const LONGEST_PAUSE_MS = 500

/**
 * Runs `work` as a serializable transaction, and again when another one came into its way, after a pause that differs
 * from the other one's. A key that is taken may be another one's work as well, of which `work` saw nothing: it looks
 * once more.
 * @throws what `work` throws, and the failure to serialize of the last attempt
 */
export async function retryTransaction<Result>(
  db: Database,
  work: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  let keyWasTaken = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().setIsolationLevel('serializable').execute(work)
    } catch (error) {
      const isTaken = isUniqueViolation(error)
      const mayHelp = isTaken ? !keyWasTaken : isSerializationFailure(error)
      if (!mayHelp || attempt === ATTEMPTS) throw error
      keyWasTaken ||= isTaken
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
      await setTimeout(Math.random() * longest)
    }
  }
}
