import { findOutliers, type Outlier } from '../outliers.ts'

/** LUFS; softer is ignored. */
const softest = -50
const leastAboveUsual = 8
const deviations = 4.5

/** Below, silence is usual. */
const leastSoundShare = 0.05

/** @param momentary LUFS per second */
export function findLoudPassages(momentary: readonly number[]): Outlier[] {
  const measures = momentary.map((loudness, seconds) => ({
    seconds,
    value: Math.max(loudness, softest),
  }))
  const heard = measures.map(({ value }) => value).filter((value) => value > softest)
  const isMostlySilent = heard.length < measures.length * leastSoundShare
  return findOutliers(measures, {
    deviations,
    leastAbove: leastAboveUsual,
    ...(!isMostlySilent && { usual: heard }),
  })
}
