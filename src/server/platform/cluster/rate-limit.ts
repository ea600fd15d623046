import type { QueryExecutorProvider } from 'kysely'
import { LRUCache } from 'lru-cache'
import { AppError } from '../errors.ts'
import { clusterOf } from './cluster.ts'
import type { SharedCounters } from './shared-counters.ts'

const CLEANUP_SIZE = 20_000
const PORTION = 1 / 30

export type LimitOptions = {
  name: string
  max: number
  windowSeconds: number
  sentence: string
}

export type RateLimit = {
  count: (key: string, amount?: number) => Promise<void>
  /** Returns false instead of throwing. */
  isWithin: (key: string, amount?: number) => Promise<boolean>
}

/** @returns milliseconds until a full window ends */
type Take = (key: string, amount: number) => number | undefined | Promise<number | undefined>

export function createRateLimit(db: QueryExecutorProvider, options: LimitOptions): RateLimit {
  const { counters } = clusterOf(db)
  return counters
    ? createSharedRateLimit({ ...options, db, counters })
    : createLocalRateLimit(options)
}

/** A restart resets it. */
export function createLocalRateLimit(options: LimitOptions): RateLimit {
  const windowMs = options.windowSeconds * 1000
  const windows = new Map<string, { count: number; endsAt: number }>()

  function current(key: string) {
    const now = Date.now()
    const known = windows.get(key)
    // The clock may be set back.
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

/** `endsAt` by the database's clock, `isOverAt` by this process's. */
type Share = { left: number; isLast: boolean; endsAt: number; isOverAt: number }

/**
 * Reserves a part of the limit in the database, to save statements; a full window is not asked
 * again.
 */
function createSharedRateLimit(
  options: LimitOptions & { db: QueryExecutorProvider; counters: SharedCounters },
): RateLimit {
  const { name, max, db, counters } = options
  const windowMs = options.windowSeconds * 1000
  const portion = Math.max(1, Math.floor(max * PORTION))
  const shares = new LRUCache<string, Share>({ max: CLEANUP_SIZE })
  const enlarging = new Map<string, Promise<void>>()

  function current(key: string): Share | undefined {
    const share = shares.get(key)
    return share && share.isOverAt > performance.now() ? share : undefined
  }

  async function enlarge(key: string, amount: number): Promise<void> {
    const counted = await counters.add(db, { key: `${name} ${key}`, amount, max, windowMs })
    const { hasGrown, count, endsAt, endsInMs } = counted
    const granted = hasGrown ? Math.max(0, Math.min(amount, max - count + amount)) : 0
    const known = shares.get(key)
    const left = known?.endsAt === endsAt ? known.left : 0
    const isOverAt = performance.now() + endsInMs
    shares.set(key, { left: left + granted, isLast: granted < amount, endsAt, isOverAt })
  }

  /** Callers of a key share one statement. */
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

export function refuse(sentence: string, endsInMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  return new AppError('too-many', sentence, { retryAfterSeconds: seconds })
}
