/**
 * Imported into the server before anything else: at each SIGUSR2 it writes how long the event loop was held
 * up since the last one to the file that LOOP_DELAY_FILE names.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { createHistogram } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** How often the loop is looked at; a look that comes in time counts as this long. */
const RESOLUTION_MS = 5
const MICROSECONDS = 1000

type Delay = { p50: number; p99: number; max: number }

/** In milliseconds; `own` is without the time that the thread waited for a processor. */
export type LoopDelay = Delay & { own: Delay }

const file = process.env.LOOP_DELAY_FILE
if (isMainThread && file) {
  const [held, own] = [createHistogram(), createHistogram()]
  let [lookedAt, usedThen] = [performance.now(), usedMs()]
  setInterval(() => {
    const [now, used] = [performance.now(), usedMs()]
    const heldMs = Math.max(0, now - lookedAt - RESOLUTION_MS)
    held.record(toCount(heldMs))
    // What the thread worked since the last look, of which the loop may have been free for a part.
    own.record(toCount(Math.min(heldMs, used - usedThen)))
    lookedAt = now
    usedThen = used
  }, RESOLUTION_MS).unref()
  process.on('SIGUSR2', () => {
    const delay: LoopDelay = { ...read(held), own: read(own) }
    writeFileSync(`${file}.new`, JSON.stringify(delay))
    renameSync(`${file}.new`, file)
  })
}

/** Processor time of this thread. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / MICROSECONDS
}

/** A histogram counts from 1. */
function toCount(milliseconds: number): number {
  return Math.round(milliseconds * MICROSECONDS) + 1
}

function read(histogram: ReturnType<typeof createHistogram>): Delay {
  const milliseconds = (count: number) => Math.max(0, count - 1) / MICROSECONDS
  const delay = {
    p50: milliseconds(histogram.percentile(50)),
    p99: milliseconds(histogram.percentile(99)),
    max: milliseconds(histogram.max),
  }
  histogram.reset()
  return delay
}
