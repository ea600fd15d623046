/**
 * The queue of files from addresses. It is separate from the job queue, whose jobs share the encoders and belong to
 * videos. See docs/decisions/0091-files-from-an-address.md.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { runAlone } from '#server/platform/cluster/locks.ts'
import { isWritable } from '#server/platform/db/move/writable.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { listDueFetches, listQueued } from './fetch.queries.ts'
import { type RunDeps, runFetch } from './run-fetch.ts'

const POLL_MS = 1000
/** One for each member. */
const AT_A_TIME = 4

type Deps = RunDeps & Pick<AppDeps, 'closing'>
type Running = Map<number, { userId: number; abort: () => void; done: Promise<void> }>

/** @returns a function that stops it and waits for work in progress */
export function startFetches(deps: Deps): () => Promise<void> {
  const ending = new AbortController()
  const closing = AbortSignal.any([deps.closing, ending.signal])
  const work = async () => {
    while (!closing.aborted) {
      await runDueFetches({ ...deps, closing }).catch((err) =>
        deps.log.warn({ err }, 'the queue of files from addresses failed; it is tried again'),
      )
      await pause(POLL_MS, undefined, { signal: closing }).catch(() => {})
    }
  }
  const running = work()
  return () => {
    ending.abort()
    return running
  }
}

/** Fetches until none is due. One node at a time does so. */
export async function runDueFetches(deps: Deps): Promise<void> {
  const { db } = deps
  if ((await listDueFetches(db, { exceptUserIds: [], limit: 1 })).length === 0) return
  await runAlone(db, 'fetches', async () => {
    const running: Running = new Map()
    try {
      while (!deps.closing.aborted) {
        await review(deps, running)
        if (running.size === 0) return
        const tick = new AbortController()
        const rest = pause(POLL_MS, undefined, { signal: tick.signal }).catch(() => {})
        await Promise.race([rest, ...[...running.values()].map(({ done }) => done)])
        tick.abort()
      }
    } finally {
      for (const { abort } of running.values()) abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    }
  })
}

/** Ends what was cancelled or turned off, and begins what is due. */
async function review(deps: Deps, running: Running): Promise<void> {
  const { db, closing } = deps
  const { fetchesAddresses } = await findSiteSettings(db)
  const isOn = fetchesAddresses && (await isWritable(db))
  const wanted = isOn ? await listQueued(db, [...running.keys()]) : []
  for (const [id, { abort }] of running) if (!wanted.includes(id)) abort()
  if (!isOn) return
  const exceptUserIds = [...running.values()].map(({ userId }) => userId)
  const limit = AT_A_TIME - running.size
  const due = limit > 0 ? await listDueFetches(db, { exceptUserIds, limit }) : []
  for (const { id, userId } of due) {
    const controller = new AbortController()
    const signal = AbortSignal.any([closing, controller.signal])
    const done = runFetch(deps, { id, signal })
      .catch((err) => deps.log.warn({ err, fetch: id }, 'a file was not fetched'))
      .finally(() => running.delete(id))
    running.set(id, { userId, abort: () => controller.abort(), done })
  }
}
