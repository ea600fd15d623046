import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../db/engine.ts'
import type { SharedCounts } from '../../db/shared-counts.ts'
import type { AppError } from '../../errors.ts'
import { createKeyedLock } from '../../locks/keyed-lock.ts'
import { type LimitOptions, refuse } from './rate-limit.ts'

const CLEANUP_SIZE = 20_000
/** How long an act waits for a place that another process may give back. */
const WAIT_MS = 1000
const FIRST_LOOK_MS = 10
const LONGEST_LOOK_MS = 100

/** Ends an act under way; only one that `counts` uses the limit up. */
export type EndAct = (outcome: { counts: boolean }) => Promise<void>

/**
 * A limit on acts of which only some count, as failed logins do. An act under way holds a place, for
 * it may yet count; one that finds no place waits until another ends. So the right password is never
 * refused for being tried in parallel, and parallel guesses gain nothing.
 */
export type OutcomeLimit = {
  /**
   * Begins an act, as soon as it has a place.
   * @returns what must be called when it has ended, whatever came of it
   * @throws AppError `too-many` when as many as allowed have counted
   */
  begin: (key: string) => Promise<EndAct>
}
type Waiting = { begin: (end: EndAct) => void; refuse: (error: AppError) => void }
type Window = { count: number; endsAt: number; underWay: number; waiting: Waiting[] }

/** Counts acts by how they end, in windows of fixed length, in memory: a restart forgives. */
export function createOutcomeLimit(options: LimitOptions): OutcomeLimit {
  const { max } = options
  const windowMs = options.windowSeconds * 1000
  const windows = new Map<string, Window>()

  function current(key: string): Window {
    const now = Date.now()
    const known = windows.get(key)
    // A clock set back must not make a window longer than it is.
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

  /** Lets those who wait begin for as long as there are places, or refuses them all. */
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
 * As `createOutcomeLimit`, in the database, for all processes on it. An act is counted before it begins, and no more when it
 * has ended and does not count: a process that is killed meanwhile leaves it counted. Which acts of others are under way
 * nobody sees, and so an act that finds no place waits for one of them for a moment.
 */
export function createSharedOutcomeLimit(
  options: LimitOptions & { db: Database; counts: SharedCounts },
): OutcomeLimit {
  const { name, max, sentence, db, counts } = options
  const windowMs = options.windowSeconds * 1000
  const inTurn = createKeyedLock()
  /** Acts of this process, by key. */
  const underWay = new Map<string, number>()

  function note(key: string, change: 1 | -1): void {
    const count = (underWay.get(key) ?? 0) + change
    if (count > 0) underWay.set(key, count)
    else underWay.delete(key)
  }

  /** @returns the end of the window in which the act was counted */
  async function takePlace(key: string, arrivedAt: number): Promise<number> {
    let since = arrivedAt
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LONGEST_LOOK_MS)) {
      const place = await counts.add(db, { key: `${name} ${key}`, amount: 1, max, windowMs })
      if (place.hasGrown) return place.endsAt
      // These are sure to give theirs back, or to use it up.
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
          if (!outcome.counts) await counts.giveBack(db, { key: `${name} ${key}`, endsAt })
        } finally {
          note(key, -1)
        }
      }
    },
  }
}
