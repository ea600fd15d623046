import { setTimeout } from 'node:timers/promises'
import { createKeyedLock } from '../../locks/keyed-lock.ts'
import type { Engine } from '../engine.ts'
import { isSerializationFailure, isUniqueViolation } from './errors.ts'

const ATTEMPTS = 12
/** Doubles up to the longest. */
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 250

/**
 * Retries after a conflict: with a random pause, and one at a time in this process, so that failed
 * transactions do not conflict again. Retries a unique violation once: the other row may be of a
 * transaction unseen by `work`.
 * @throws the last serialization failure
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
