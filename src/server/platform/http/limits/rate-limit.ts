import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/engine.ts'
import type { SharedCounts } from '../../db/shared-counts.ts'
import { AppError } from '../../errors.ts'

const CLEANUP_SIZE = 20_000
/** Of a limit, what a process counts in the database at once. */
const PORTION = 1 / 30

export type LimitOptions = {
  /** Of the limit among all. */
  name: string
  max: number
  windowSeconds: number
  /** Says why an act is refused. */
  sentence: string
}

/** Counts acts in windows of fixed length. */
export type RateLimit = {
  /** @throws AppError `too-many` when the acts so far and this one are more than allowed. */
  count: (key: string, amount?: number) => Promise<void>
  /** As `count`, and says whether it is within the limit. */
  isWithin: (key: string, amount?: number) => Promise<boolean>
}

/** Counts acts that are within the limit; of others, answers for how many milliseconds they are not. */
type Take = (key: string, amount: number) => number | undefined | Promise<number | undefined>

/** Counts in memory: a restart forgives. */
export function createRateLimit(options: LimitOptions): RateLimit {
  const windowMs = options.windowSeconds * 1000
  const windows = new Map<string, { count: number; endsAt: number }>()

  function current(key: string) {
    const now = Date.now()
    const known = windows.get(key)
    // A clock set back must not make a window longer than it is.
    if (known && known.endsAt > now && known.endsAt - now <= windowMs) return known
    if (windows.size >= CLEANUP_SIZE) {
      for (const [old, { endsAt }] of windows) if (endsAt <= now) windows.delete(old)
    }
    const fresh = { count: 0, endsAt: now + windowMs }
    windows.set(key, fresh)
    return fresh
  }

  return limitBy(options, (key, amount) => {
    const window = current(key)
    if (window.count + amount > options.max) return window.endsAt - Date.now()
    window.count += amount
    return undefined
  })
}

/** What a process has counted of a window and not used yet. `endsAt` is of the database's clock, `isOverAt` of this process's. */
type Share = { left: number; isLast: boolean; endsAt: number; isOverAt: number }

/**
 * Counts in the database, for all processes on it. A process counts a part of the limit at once and uses that up in
 * memory, so that not each act costs a statement, and one that finds the limit reached asks no more until the window ends.
 */
export function createSharedRateLimit(
  options: LimitOptions & { db: Database; counts: SharedCounts },
): RateLimit {
  const { name, max, db, counts } = options
  const windowMs = options.windowSeconds * 1000
  const portion = Math.max(1, Math.floor(max * PORTION))
  const shares = new LRUCache<string, Share>({ max: CLEANUP_SIZE })
  const enlarging = new Map<string, Promise<void>>()

  function current(key: string): Share | undefined {
    const share = shares.get(key)
    return share && share.isOverAt > performance.now() ? share : undefined
  }

  async function enlarge(key: string, amount: number): Promise<void> {
    const counted = await counts.add(db, { key: `${name} ${key}`, amount, max, windowMs })
    const { hasGrown, count, endsAt, endsInMs } = counted
    const granted = hasGrown ? Math.max(0, Math.min(amount, max - count + amount)) : 0
    const known = shares.get(key)
    const left = known?.endsAt === endsAt ? known.left : 0
    const isOverAt = performance.now() + endsInMs
    shares.set(key, { left: left + granted, isLast: granted < amount, endsAt, isOverAt })
  }

  /** One statement at a time: whoever comes meanwhile waits for what it brings. */
  function enlargeOnce(key: string, amount: number): Promise<void> {
    const running = enlarging.get(key)
    if (running) return running
    const work = enlarge(key, amount).finally(() => enlarging.delete(key))
    enlarging.set(key, work)
    return work
  }

  return limitBy(options, async (key, amount) => {
    for (;;) {
      const share = current(key)
      if (share && share.left >= amount) {
        share.left -= amount
        return undefined
      }
      if (share?.isLast) return share.isOverAt - performance.now()
      await enlargeOnce(key, Math.max(portion, amount - (share?.left ?? 0)))
    }
  })
}

function limitBy({ sentence }: LimitOptions, take: Take): RateLimit {
  return {
    async count(key, amount = 1) {
      const endsInMs = await take(key, amount)
      if (endsInMs !== undefined) throw refuse(sentence, endsInMs)
    },
    isWithin: async (key, amount = 1) => (await take(key, amount)) === undefined,
  }
}

/** The refusal of an act beyond its limit. @param endsInMs how long that lasts */
export function refuse(sentence: string, endsInMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  return new AppError('too-many', sentence, { retryAfterSeconds: seconds })
}
