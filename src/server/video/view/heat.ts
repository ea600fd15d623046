import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { addHeat, type Heat } from './heat.queries.ts'
import { addWatchSeconds } from './view.queries.ts'

export const HEAT_SLICES = 100

/** Reports come every five seconds; longer ranges are late reports. */
const LONGEST_RANGE_SECONDS = 15
const STORE_EVERY_MS = 60_000
const WAITING_VIDEOS_MAX = 500

/** Seconds. */
export type Watched = Map<number, Map<number, number>>
type WatchedRange = {
  videoId: number
  durationSeconds: number
  endSeconds: number
  seconds: number
}

/**
 * In memory, stored once a minute, as each write clears the answer cache; a crash loses a minute.
 * @param now monotonic milliseconds
 */
export function createHeatMeter(now: () => number) {
  let waiting: Watched = new Map()
  let storedAt = now()

  return {
    note({ videoId, durationSeconds, endSeconds, seconds }: WatchedRange): void {
      if (durationSeconds <= 0 || waiting.size >= WAITING_VIDEOS_MAX) return
      const length = Math.min(seconds, LONGEST_RANGE_SECONDS)
      const end = Math.min(Math.max(endSeconds, 0), durationSeconds)
      const slices = waiting.get(videoId) ?? new Map<number, number>()
      const sliceSeconds = durationSeconds / HEAT_SLICES
      for (let from = Math.max(0, end - length); from < end - 1e-6; ) {
        const slice = Math.min(Math.floor(from / sliceSeconds + 1e-9), HEAT_SLICES - 1)
        const until = Math.min(end, Math.max((slice + 1) * sliceSeconds, from + 1e-3))
        slices.set(slice, (slices.get(slice) ?? 0) + until - from)
        from = until
      }
      if (slices.size > 0) waiting.set(videoId, slices)
    },

    /** Undefined until it is time to store. */
    take(): Watched | undefined {
      if (waiting.size === 0 || now() - storedAt < STORE_EVERY_MS) return undefined
      const watched = waiting
      waiting = new Map()
      storedAt = now()
      return watched
    },
  }
}

export async function storeWatched(db: DatabaseTransaction, watched: Watched): Promise<void> {
  const heat: Heat[] = [...watched].flatMap(([videoId, slices]) =>
    [...slices].map(([slice, seconds]) => ({ videoId, slice, seconds })),
  )
  const sums = [...watched].map(([videoId, slices]) => ({
    videoId,
    seconds: [...slices.values()].reduce((sum, seconds) => sum + seconds, 0),
  }))
  await addHeat(db, heat)
  await addWatchSeconds(db, sums)
}
