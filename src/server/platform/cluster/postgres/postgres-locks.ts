import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createKeyedLock } from '../../locks/keyed-lock.ts'
import type { Locks, Release } from '../cluster.ts'
import { waitForLock } from '../locks.ts'
import { FIRST_PAUSE_MS, type LastingSession, type Session } from './postgres-session.ts'

export function createPostgresLocks(
  session: LastingSession,
  isAway: (error: unknown) => boolean,
): Locks {
  const inTurn = createKeyedLock()
  const taken = new Set<string>()

  async function tryLock(name: string): Promise<Release | undefined> {
    // A session may take the same lock twice.
    if (taken.has(name)) return undefined
    taken.add(name)
    let holder: Session | undefined
    const key = lockNumber(name)
    try {
      const asked = await session.require()
      const { rows } = await asked.query('SELECT pg_try_advisory_lock($1::bigint) AS "isFree"', [
        key,
      ])
      if (rows[0]?.isFree) holder = asked
    } finally {
      if (!holder) taken.delete(name)
    }
    if (!holder) return undefined
    const { query } = holder
    return async () => {
      // Losing the session releases the lock.
      await query('SELECT pg_advisory_unlock($1::bigint)', [key]).catch(() => {})
      taken.delete(name)
    }
  }

  return {
    tryLock,

    withLock: (name, work) =>
      inTurn(name, async () => {
        const acquire = () => waitForLock(() => tryLock(name))
        const release = await acquire().catch((error) => {
          // Lost while waiting; replaced soon.
          if (isAway(error)) return pause(FIRST_PAUSE_MS).then(acquire)
          throw error
        })
        try {
          return await work()
        } finally {
          await release()
        }
      }),
  }
}

/** Collisions are not expected in 64 bits. */
export function lockNumber(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString()
}
