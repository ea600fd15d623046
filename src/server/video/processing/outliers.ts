export type Outlier = {
  seconds: number
  /** 0.5 (just an outlier) to 1. */
  weight: number
}

type Measure = { seconds: number; value: number }

/** Standard deviation per median absolute deviation. */
const spread = 1.4826

const gapSeconds = 20
const mostOutliers = 40
/** Fewer do not show what is usual. */
const leastMeasures = 15

/**
 * `deviations` are median absolute ones. Keeps the highest of close values.
 * @param measures by time
 * @param options.usual `measures` by default
 */
export function findOutliers(
  measures: readonly Measure[],
  options: { deviations: number; leastAbove: number; usual?: readonly number[] },
): Outlier[] {
  const { deviations, leastAbove } = options
  const values = options.usual ?? measures.map(({ value }) => value)
  if (measures.length < leastMeasures || values.length === 0) return []
  const middle = median(values)
  const deviation = spread * median(values.map((value) => Math.abs(value - middle)))
  const above = Math.max(leastAbove, deviations * deviation)
  const peaks: Measure[] = []
  let lastSeconds = Number.NEGATIVE_INFINITY
  for (const measure of measures) {
    if (measure.value < middle + above) continue
    const peak = peaks.at(-1)
    if (!peak || measure.seconds - lastSeconds > gapSeconds) peaks.push(measure)
    else if (measure.value > peak.value) peaks[peaks.length - 1] = measure
    lastSeconds = measure.seconds
  }
  return peaks
    .map(({ seconds, value }) => ({ seconds, weight: Math.min((value - middle) / above / 2, 1) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostOutliers)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  const [low, high] = [sorted[half - 1] ?? 0, sorted[half] ?? 0]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}
