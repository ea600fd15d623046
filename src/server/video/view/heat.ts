import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { addHeat, type Heat } from './heat.queries.ts'
import { addWatchSeconds } from './view.queries.ts'

/** Parts of equal length that a video is looked at in. */
export const HEAT_SLICES = 100

/** Reports come every five seconds of play; more at once came late. */
const LONGEST_STRETCH_SECONDS = 15
const STORE_EVERY_MS = 60_000
const WAITING_VIDEOS_MAX = 500

/** The seconds for which each slice of each video was watched, by their ids and numbers. */
export type Watched = Map<number, Map<number, number>>
type Stretch = { videoId: number; durationSeconds: number; endSeconds: number; seconds: number }

/**
 * Sums up where videos are watched, and stores the sums once a minute: a write for each report would take
 * the site's answers out of its memory. The day's watch time is summed up along with it. A stop loses a minute at most.
 * @param now the present in milliseconds, of a clock that is never set back
 */
export function createHeatMeter(now: () => number) {
  let waiting: Watched = new Map()
  let storedAt = now()

  return {
    /** Adds what a user has just watched, up to `endSeconds`. */
    note({ videoId, durationSeconds, endSeconds, seconds }: Stretch): void {
      if (durationSeconds <= 0 || waiting.size >= WAITING_VIDEOS_MAX) return
      const length = Math.min(seconds, LONGEST_STRETCH_SECONDS)
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

    /** Takes what has come together out of memory, if it is time to store it. */
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
