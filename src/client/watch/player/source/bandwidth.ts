/** Smaller answers arrive at once, and say nothing about the connection. */
const MIN_BYTES = 20_000

/**
 * Of what the page has loaded, such as scripts and pictures.
 * @returns bits per second, at least; null when unknown
 */
export function measuredBandwidth(): number | null {
  const loaded = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ].filter(
    (entry) => entry instanceof PerformanceResourceTiming && entry.transferSize >= MIN_BYTES,
  ) as PerformanceResourceTiming[]
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
  return ms > 0 ? (bytes * 8000) / ms : null
}
