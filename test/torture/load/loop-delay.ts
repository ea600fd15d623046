/**
 * Imported into the server before anything else: at each SIGUSR2 it writes how long the event loop was held
 * up since the last one to the file that LOOP_DELAY_FILE names.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** How often the loop is looked at; a look that comes in time counts as this long. */
const RESOLUTION_MS = 5
const NANOSECONDS = 1e6

export type LoopDelay = { p50: number; p99: number; max: number }

const file = process.env.LOOP_DELAY_FILE
if (isMainThread && file) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  const milliseconds = (value: number) => Math.max(0, value / NANOSECONDS - RESOLUTION_MS)
  process.on('SIGUSR2', () => {
    const delay: LoopDelay = {
      p50: milliseconds(histogram.percentile(50)),
      p99: milliseconds(histogram.percentile(99)),
      max: milliseconds(histogram.max),
    }
    histogram.reset()
    writeFileSync(`${file}.new`, JSON.stringify(delay))
    renameSync(`${file}.new`, file)
  })
}
