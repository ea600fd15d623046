/** Half of what is known of the connection is forgotten after so much loading, in seconds. */
const HALF_LIVES = [3, 9]
/** What comes faster tells how long a request takes, rather than how much the connection carries. */
const SHORTEST_MS = 50
const SMALLEST_BYTES = 16_000

type Average = { halfLife: number; bits: number; seconds: number }

/** What a connection carries, from what was loaded over it. */
export function createThroughput(before: number | null) {
  const averages: Average[] = HALF_LIVES.map((halfLife) => ({ halfLife, bits: 0, seconds: 0 }))
  let isMeasured = false
  /** Bits per second, where something was loaded: the most careful of the averages. */
  const measured = (): number | null =>
    isMeasured ? Math.min(...averages.map(({ bits, seconds }) => bits / seconds)) : null

  return {
    measured,
    /** The same, or else what was known before. */
    estimate: () => measured() ?? before,
    /** @param ms from the first to the last byte */
    add(bytes: number, ms: number): void {
      if (bytes < SMALLEST_BYTES) return
      isMeasured = true
      const seconds = Math.max(ms, SHORTEST_MS) / 1000
      for (const average of averages) {
        const kept = 0.5 ** (seconds / average.halfLife)
        average.bits = average.bits * kept + bytes * 8
        average.seconds = average.seconds * kept + seconds
      }
    },
  }
}
