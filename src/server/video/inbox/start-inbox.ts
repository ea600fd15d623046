import { setTimeout as pause } from 'node:timers/promises'
import { runAlone } from '#server/platform/cluster/locks.ts'
import { isWritable } from '#server/platform/db/move/writable.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { createMemory, runRound } from './inbox-round.ts'
import { forgetMissing, settleLostOriginals, settleOriginals } from './originals.ts'
import { type Attempts, publishQueued } from './publish-item.ts'

type Log = { warn: (details: object, message: string) => void }

const PUBLISH_MS = 1000
const ORIGINALS_MS = 10_000
const FORGET_MS = 60 * 60 * 1000
const RETRY_MS_MAX = 60_000

/**
 * If several nodes have the folders, one of them at a time reads the folders, and one publishes.
 * @returns a function that stops it and waits for work in progress
 */
export function startInbox(deps: AppDeps & { log: Log }): () => Promise<void> {
  const { config, db, log } = deps
  if (config.inbox.folders.length === 0) return async () => {}
  const ending = new AbortController()
  const signal = AbortSignal.any([deps.closing, ending.signal])
  const within = { ...deps, closing: signal }
  const memory = createMemory()
  const attempts: Attempts = new Map()
  const repeat = async (name: string, restMs: number, work: () => Promise<void>) => {
    let waitMs = restMs
    while (!signal.aborted) {
      try {
        if (await isWritable(db)) await runAlone(db, name, work)
        waitMs = restMs
      } catch (error) {
        waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)
        if (!signal.aborted) log.warn({ err: error }, `${name} failed; it is tried again`)
      }
      await pause(waitMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = Promise.all([
    repeat('inbox-round', config.inbox.everySeconds * 1000, async () => {
      await runRound(within, memory)
      await settleLostOriginals(within, memory)
    }),
    repeat('inbox-publish', PUBLISH_MS, () => publishQueued(within, attempts)),
    repeat('inbox-originals', ORIGINALS_MS, () => settleOriginals(within)),
    repeat('inbox-forget', FORGET_MS, () => forgetMissing(within, memory)),
  ])
  return async () => {
    ending.abort()
    await running
  }
}
