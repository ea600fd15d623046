import { setTimeout as pause } from 'node:timers/promises'
import type { QueryExecutorProvider } from 'kysely'
import type { AppError } from '../errors.ts'
import { createKeyedLock } from '../locks/keyed-lock.ts'
import { clusterOf } from './cluster.ts'
import { type LimitOptions, refuse } from './rate-limit.ts'
import type { SharedCounters } from './shared-counters.ts'

const CLEANUP_SIZE = 20_000
/** Until another process may have released a slot. */
const WAIT_MS = 1000
const FIRST_POLL_MS = 10
const LONGEST_POLL_MS = 100

export type EndAct = (outcome: { counts: boolean }) => Promise<void>

/**
 * Limits attempts of which only some count, such as failed logins. A running attempt holds a slot;
 * others wait for one. So parallel attempts never refuse the right password, and parallel guesses
 * gain nothing.
 */
export type OutcomeLimit = {
  /**
   * @returns to be called at the end
   * @throws `too-many` at the limit
   */
  begin: (key: string) => Promise<EndAct>
}
type Waiting = { begin: (end: EndAct) => void; refuse: (error: AppError) => void }
type Window = { count: number; endsAt: number; underWay: number; waiting: Waiting[] }

export function createOutcomeLimit(db: QueryExecutorProvider, options: LimitOptions): OutcomeLimit {
  const { counters } = clusterOf(db)
  return counters
    ? createSharedOutcomeLimit({ ...options, db, counters })
    : createLocalOutcomeLimit(options)
}

/** Fixed windows; a restart resets them. */
function createLocalOutcomeLimit(options: LimitOptions): OutcomeLimit {
  const { max } = options
  const windowMs = options.windowSeconds * 1000
  const windows = new Map<string, Window>()

  function current(key: string): Window {
    const now = Date.now()
    const known = windows.get(key)
    // The clock may be set back.
    if (known && known.endsAt > now && known.endsAt - now <= windowMs) return known
    if (known && isUsed(known)) return Object.assign(known, { count: 0, endsAt: now + windowMs })
    if (windows.size >= CLEANUP_SIZE) {
      for (const [old, window] of windows) {
        if (window.endsAt <= now && !isUsed(window)) windows.delete(old)
      }
    }
    const fresh = { count: 0, endsAt: now + windowMs, underWay: 0, waiting: [] }
    windows.set(key, fresh)
    return fresh
  }

  const refusal = ({ endsAt }: Window) => refuse(options.sentence, endsAt - Date.now())

  function take(key: string): EndAct {
    current(key).underWay++
    return async ({ counts }) => {
      const window = current(key)
      window.underWay--
      if (counts) window.count++
      admit(key)
    }
  }

  /** Starts waiting attempts; at the limit refuses all. */
  function admit(key: string): void {
    const window = current(key)
    while (window.waiting.length > 0) {
      if (window.count < max && window.count + window.underWay >= max) return
      const next = window.waiting.shift()
      if (window.count >= max) next?.refuse(refusal(window))
      else next?.begin(take(key))
    }
  }

  return {
    begin(key) {
      return new Promise((begin, refuse) => {
        current(key).waiting.push({ begin, refuse })
        admit(key)
      })
    },
  }
}

function isUsed(window: Window): boolean {
  return window.underWay > 0 || window.waiting.length > 0
}

/**
 * Counts an attempt before it begins, and takes that back unless it counts; a kill leaves it
 * counted. Attempts of other
 * processes are unknown: one without a slot waits a moment.
 */
function createSharedOutcomeLimit(
  options: LimitOptions & { db: QueryExecutorProvider; counters: SharedCounters },
): OutcomeLimit {
  const { name, max, sentence, db, counters } = options
  const windowMs = options.windowSeconds * 1000
  const inTurn = createKeyedLock()
  const underWay = new Map<string, number>()

  function note(key: string, change: 1 | -1): void {
    const count = (underWay.get(key) ?? 0) + change
    if (count > 0) underWay.set(key, count)
    else underWay.delete(key)
  }

  /** @returns the end of its window */
  async function takePlace(key: string, arrivedAt: number): Promise<number> {
    let since = arrivedAt
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
      const place = await counters.add(db, { key: `${name} ${key}`, amount: 1, max, windowMs })
      if (place.hasGrown) return place.endsAt
      // Own attempts are sure to end.
      if (underWay.has(key)) since = performance.now()
      if (performance.now() - since >= WAIT_MS) throw refuse(sentence, place.endsInMs)
      await pause(wait * (0.5 + Math.random() / 2))
    }
  }

  return {
    async begin(key) {
      const arrivedAt = performance.now()
      const endsAt = await inTurn(key, async () => {
        const place = await takePlace(key, arrivedAt)
        note(key, 1)
        return place
      })
      return async (outcome) => {
        try {
          if (!outcome.counts) await counters.giveBack(db, { key: `${name} ${key}`, endsAt })
        } finally {
          note(key, -1)
        }
      }
    },
  }
}
