/** Smaller responses arrive in one piece and do not show the connection's bandwidth. */
const MIN_BYTES = 20_000
/** All responses together must have this many bytes, because fewer may arrive in one burst. */
const MIN_TOTAL_BYTES = 60_000

/**
 * Of what the page has loaded, such as scripts and pictures.
 * @returns bits per second, at least; null when unknown
 */
export function measuredBandwidth(): number | null {
  const entries = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ]
  const loaded = entries
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    // A media element stops reading once it has enough, so its rate says little about the
    // connection.
    .filter(({ initiatorType }) => initiatorType !== 'video')
    .filter(({ transferSize }) => transferSize >= MIN_BYTES)
  return bandwidthOf(loaded)
}

type Loaded = Pick<PerformanceResourceTiming, 'transferSize' | 'responseStart' | 'responseEnd'>

/** Over the time in which at least one of them arrived. */
export function bandwidthOf(loaded: readonly Loaded[]): number | null {
  let bytes = 0
  let ms = 0
  let end = 0
  for (const one of loaded.toSorted((a, b) => a.responseStart - b.responseStart)) {
    bytes += one.transferSize
    ms += Math.max(0, one.responseEnd - Math.max(end, one.responseStart))
    end = Math.max(end, one.responseEnd)
  }
  return ms > 0 && bytes >= MIN_TOTAL_BYTES ? (bytes * 8000) / ms : null
}
