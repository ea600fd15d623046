import { setTimeout } from 'node:timers/promises'
import { createKeyedLock } from '../../locks/keyed-lock.ts'
import type { Engine } from '../engine.ts'
import { isSerializationFailure, isUniqueViolation } from './errors.ts'

const ATTEMPTS = 12
/** Before the second attempt, at most; it doubles from one to the next, up to the longest. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 250

/**
 * Makes what runs work as a serializable transaction, and again when another one came into its way: after a pause that
 * differs from the other one's, and one at a time in this process, as those that failed would fail each other again. A
 * key that is taken may be another one's work as well, of which `work` saw nothing: it looks once more.
 *
 * It throws what `work` throws, and the failure to serialize of the last attempt.
 */
export function createRetryingTransaction(): Engine['inTransaction'] {
  const inTurn = createKeyedLock()
  return async (db, work) => {
    const attempt = () => db.transaction().setIsolationLevel('serializable').execute(work)
    let keyWasTaken = false
    for (let failures = 0; ; failures++) {
      try {
        return failures === 0
          ? await attempt()
          : await inTurn('', () => pauseFor(failures, attempt))
      } catch (error) {
        const isTaken = isUniqueViolation(error)
        const mayHelp = isTaken ? !keyWasTaken : isSerializationFailure(error)
        if (!mayHelp || failures + 1 === ATTEMPTS) throw error
        keyWasTaken ||= isTaken
      }
    }
  }
}

async function pauseFor<Result>(failures: number, attempt: () => Promise<Result>): Promise<Result> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  await setTimeout(Math.random() * longest)
  return attempt()
}
