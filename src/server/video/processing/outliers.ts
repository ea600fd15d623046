/** A value that stands out among those of its own recording. */
export type Outlier = {
  seconds: number
  /** From 0.5, where it begins to stand out, to 1. */
  weight: number
}

type Measure = { seconds: number; value: number }

/** Of normally spread values, the standard deviation is this many times the median absolute deviation. */
const spread = 1.4826

/** Peaks nearer to each other than this are one. */
const gapSeconds = 20
const mostOutliers = 40
/** Of fewer values nobody can say what is usual. */
const leastMeasures = 15

/**
 * The values that are far above what is usual among all of them: by so many deviations (of the median absolute
 * deviation, which outliers hardly move) and by so much in any case. Of those near each other, the highest.
 * @param measures in the order of their times
 * @param options.usual what to compare with, where that is not all of them
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
