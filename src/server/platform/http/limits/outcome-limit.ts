import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../db/engine.ts'
import type { SharedCounts } from '../../db/shared-counts.ts'
import type { AppError } from '../../errors.ts'
import { createKeyedLock } from '../../locks/keyed-lock.ts'
import { type LimitOptions, refuse } from './rate-limit.ts'

const CLEANUP_SIZE = 20_000
/** Wait for a slot that another process may free. */
const WAIT_MS = 1000
const FIRST_LOOK_MS = 10
const LONGEST_LOOK_MS = 100

/** The limit is used up only if the act `counts`. */
export type EndAct = (outcome: { counts: boolean }) => Promise<void>

/**
 * For acts of which only some count, such as failed logins. A running act holds a slot, and others
 * wait for one: the right password is never refused for parallel attempts, and parallel guessing
 * gains nothing.
 */
export type OutcomeLimit = {
  /**
   * Waits for a slot.
   * @returns must be called at the end
   * @throws AppError `too-many`
   */
  begin: (key: string) => Promise<EndAct>
}
type Waiting = { begin: (end: EndAct) => void; refuse: (error: AppError) => void }
type Window = { count: number; endsAt: number; underWay: number; waiting: Waiting[] }

/** Fixed windows in memory; a restart resets them. */
export function createOutcomeLimit(options: LimitOptions): OutcomeLimit {
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
 * Shared by all processes through the database. Counts an act before it begins and uncounts it
 * afterwards: a killed process leaves it counted. Running acts of others are unknown, so an act
 * without a slot polls for a moment.
 */
export function createSharedOutcomeLimit(
  options: LimitOptions & { db: Database; counts: SharedCounts },
): OutcomeLimit {
  const { name, max, sentence, db, counts } = options
  const windowMs = options.windowSeconds * 1000
  const inTurn = createKeyedLock()
  const underWay = new Map<string, number>()

  function note(key: string, change: 1 | -1): void {
    const count = (underWay.get(key) ?? 0) + change
    if (count > 0) underWay.set(key, count)
    else underWay.delete(key)
  }

  async function takePlace(key: string, arrivedAt: number): Promise<number> {
    let since = arrivedAt
    for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LONGEST_LOOK_MS)) {
      const place = await counts.add(db, { key: `${name} ${key}`, amount: 1, max, windowMs })
      if (place.hasGrown) return place.endsAt
      // Its own acts will free their slots or use them up.
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
