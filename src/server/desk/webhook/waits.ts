const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

/** Pauses after failures, by the attempts before; a day in all. */
export const WAITS_MS: readonly number[] = [
  ...[5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR],
]
