import type { QueryExecutorProvider } from 'kysely'
import { clusterOf } from './cluster.ts'
import type { Lap, SharedStopwatches } from './shared-stopwatches.ts'

const REMEMBERED_MAX = 20_000
/** Deleted after this time without a report. */
const IDLE_MS = 6 * 3600 * 1000

export type Stopwatches = {
  /** Milliseconds. */
  now: () => number
  report: (name: string, watchedSeconds: number) => Promise<Lap>
}

/**
 * In memory, or in rows for several nodes.
 * @param clock monotonic; shared by several nodes
 */
export function createStopwatches(db: QueryExecutorProvider, clock?: () => number): Stopwatches {
  const { stopwatches } = clusterOf(db)
  if (!stopwatches) return createMemoryStopwatches(clock ?? (() => performance.now()))
  return createRowStopwatches({ db, stopwatches, now: clock ?? Date.now })
}

function createMemoryStopwatches(now: () => number): Stopwatches {
  const known = new Map<string, { firstAt: number; lastAt: number; watchedSeconds: number }>()
  return {
    now,
    async report(name, watchedSeconds) {
      const before = known.get(name)
      if (before) {
        const [passed, pause] = [now() - before.firstAt, now() - before.lastAt]
        // A reopened page counts from 0.
        const reported = Math.min(before.watchedSeconds, watchedSeconds)
        Object.assign(before, { lastAt: now(), watchedSeconds })
        return { passed: passed / 1000, fresh: Math.min(watchedSeconds - reported, pause / 1000) }
      }
      if (known.size >= REMEMBERED_MAX) {
        const [oldest] = known.keys()
        if (oldest !== undefined) known.delete(oldest)
      }
      known.set(name, { firstAt: now(), lastAt: now(), watchedSeconds })
      return { passed: 0, fresh: 0 }
    },
  }
}

function createRowStopwatches(input: {
  db: QueryExecutorProvider
  stopwatches: SharedStopwatches
  now: () => number
}): Stopwatches {
  const { db, stopwatches, now } = input
  let cleanedAt = now()
  return {
    now,
    async report(name, watchedSeconds) {
      if (now() - cleanedAt >= IDLE_MS) {
        cleanedAt = now()
        await stopwatches.deleteIdle(db, Math.floor(now()) - IDLE_MS)
      }
      return stopwatches.report(db, { name, watchedSeconds, now: Math.floor(now()) })
    },
  }
}
