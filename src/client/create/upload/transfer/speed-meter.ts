const WINDOW_MS = 8000
const SHORTEST_SPAN_MS = 800
/** After this long without progress, earlier samples say nothing about the speed. */
export const STILL_MS = 3000

/** Measures bytes per second over the last seconds. */
export function createSpeedMeter(now: () => number = Date.now) {
  let samples: { at: number; bytes: number }[] = []
  return {
    /**
     * @param bytes sent in total, ever growing within one attempt
     * @returns bytes per second, or undefined until there is enough to tell
     */
    measure(bytes: number): number | undefined {
      const at = now()
      const last = samples.at(-1)
      if (last && (bytes < last.bytes || at - last.at >= STILL_MS)) samples = []
      samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytes }]
      const first = samples[0]
      if (!first || at - first.at < SHORTEST_SPAN_MS) return undefined
      return ((bytes - first.bytes) / (at - first.at)) * 1000
    },
  }
}

/** 'about 12 seconds left', 'about 3 minutes left', 'about 2 hours left'. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} seconds left`
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} minutes left`
  return `about ${Math.round(seconds / 3600)} hours left`
}
