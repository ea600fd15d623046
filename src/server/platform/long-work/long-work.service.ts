/**
 * What one act changes in very many rows. The act's transaction does the first step, which is all
 * of it for most; `longWork` remembers the rest, also after a crash. See
 * docs/decisions/0068-acts-in-steps.md.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { runAlone } from '../cluster/locks.ts'
import { type Database, type DatabaseTransaction, writeQuietly } from '../db/database.ts'
import { isWritable } from '../db/move/writable.ts'
import type { LiveFeed } from '../events/live-feed.ts'
import { failpoint } from '../failpoints.ts'
import {
  deleteLongWork,
  findPlace,
  listLongWork,
  type Place,
  storePlace,
  type WorkKey,
} from './long-work.queries.ts'

export type LongWork = {
  /** In rows: never renamed. */
  kind: string
  /** A few milliseconds of changes from the place on. */
  step: (db: DatabaseTransaction, place: Place) => Promise<Step>
}

export type Step = {
  /** Null at the end. */
  reachedId: number | null
  /** Whom to tell through the live feed after the commit. */
  notified: number[]
}

/** Notifications or comments: some 1 ms on SQLite, 5 on PostgreSQL. */
export const STEP_ROWS = 100

type Deps = { db: Database; live: LiveFeed; closing: AbortSignal }
type Log = { warn: (details: object, message: string) => void }

/** Some 30 µs each. */
const POLL_MS = 200
/** The wait doubles with each failure of the same work, up to this. */
const RETRY_MS_MAX = 60_000
/** The pause between steps lets the server answer waiting requests. */
const REST_MS = 10

/**
 * In the transaction of the act, in place of an earlier act of the kind.
 * @returns users to notify live
 */
export async function beginWork(
  db: DatabaseTransaction,
  { kind, step }: LongWork,
  { targetId, lastId = null }: { targetId: number; lastId?: number | null },
): Promise<number[]> {
  const { reachedId, notified } = await step(db, { targetId, reachedId: 0, lastId })
  await storeReached(db, { kind, targetId, lastId, reachedId })
  return notified
}

/** For an act that undoes another. */
export async function dropWork(
  db: DatabaseTransaction,
  { kind }: LongWork,
  targetId: number,
): Promise<void> {
  await deleteLongWork(db, { kind, targetId })
}

/** @returns a function that stops it and waits for a step in progress */
export function startLongWork(
  { closing, log, ...deps }: Deps & { log: Log },
  works: readonly LongWork[],
): () => Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([closing, ending.signal])
  const work = async () => {
    const retries: Retries = new Map()
    while (!signal.aborted) {
      try {
        await finishLongWork({ ...deps, closing: signal }, works, retries)
      } catch (error) {
        log.warn({ err: error }, 'the rest of an act failed; it is tried again')
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = work()
  return () => {
    ending.abort()
    return running
  }
}

/** Holds when each failed work is tried next, by name; `at` is a time of `performance.now()`. */
type Retries = Map<string, { at: number; waitMs: number }>

/**
 * Runs one step of each work in turn; only one node does so at a time.
 * @param retries is changed; pass the same map to the next call
 * @throws the first error, after all other work is finished
 */
export async function finishLongWork(
  deps: Deps,
  works: readonly LongWork[],
  retries: Retries = new Map(),
): Promise<void> {
  const { db, closing } = deps
  const byKind = new Map(works.map((work) => [work.kind, work]))
  const kinds = [...byKind.keys()]
  if ((await listLongWork(db, kinds)).length === 0) return
  await runAlone(db, 'long-work', async () => {
    const failures: unknown[] = []
    const isDue = (key: WorkKey) => (retries.get(nameOf(key))?.at ?? 0) <= performance.now()
    for (;;) {
      const waiting = (await listLongWork(db, kinds)).filter(isDue)
      if (waiting.length === 0) break
      for (const key of waiting) {
        if (closing.aborted || !(await isWritable(db))) return
        const work = byKind.get(key.kind)
        if (!work) continue
        try {
          await doStep(deps, { key, work })
          retries.delete(nameOf(key))
        } catch (error) {
          const waitMs = Math.min((retries.get(nameOf(key))?.waitMs ?? POLL_MS) * 2, RETRY_MS_MAX)
          retries.set(nameOf(key), { at: performance.now() + waitMs, waitMs })
          failures.push(error)
        }
        await pause(REST_MS, undefined, { signal: closing }).catch(() => {})
      }
    }
    if (failures.length > 0) throw failures[0]
  })
}

const nameOf = ({ kind, targetId }: WorkKey) => `${kind} ${targetId}`

async function doStep(
  { db, live }: Deps,
  { key, work }: { key: WorkKey; work: LongWork },
): Promise<void> {
  const notified = await writeQuietly(db, async (transaction) => {
    // An act that undid it may have been in between.
    const place = await findPlace(transaction, key)
    if (!place) return []
    const { reachedId, notified } = await work.step(transaction, place)
    await storeReached(transaction, { ...key, lastId: place.lastId, reachedId })
    return notified
  })
  failpoint('long-work.step-done')
  live.announce(notified)
}

async function storeReached(
  db: DatabaseTransaction,
  input: WorkKey & { reachedId: number | null; lastId: number | null },
): Promise<void> {
  const { reachedId, ...rest } = input
  if (reachedId === null) await deleteLongWork(db, rest)
  else await storePlace(db, { ...rest, reachedId })
}
