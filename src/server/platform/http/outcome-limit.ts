import { AppError } from '../errors.ts'

const CLEANUP_SIZE = 20_000

/** Ends an act under way; only one that `counts` uses the limit up. */
export type EndAct = (outcome: { counts: boolean }) => void
type Waiting = { begin: (end: EndAct) => void; refuse: (error: AppError) => void }
type Window = { count: number; endsAt: number; underWay: number; waiting: Waiting[] }

/**
 * Counts acts by how they end, in windows of fixed length, in memory: a restart forgives.
 * A limit on acts of which only some count, as failed logins do. An act under way holds a place, for
 * it may yet count; one that finds no place waits until another ends. So the right password is never
 * refused for being tried in parallel, and parallel guesses gain nothing.
 */
export function createOutcomeLimit(options: {
  max: number
  windowSeconds: number
  sentence: string
}) {
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

  function refusal(window: Window): AppError {
    const seconds = Math.max(1, Math.ceil((window.endsAt - Date.now()) / 1000))
    return new AppError('too-many', options.sentence, { retryAfterSeconds: seconds })
  }

  function take(key: string): EndAct {
    current(key).underWay++
    return ({ counts }) => {
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
    /**
     * Begins an act, as soon as it has a place.
     * @returns what must be called when it has ended, whatever came of it
     * @throws AppError `too-many` when as many as allowed have counted
     */
    begin(key: string): Promise<EndAct> {
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
