import { findOutliers, type Outlier } from '../outliers.ts'

/** LUFS; what is softer is no part of a recording's own level. */
const softest = -50
const leastAboveUsual = 8
const deviations = 4

/** With less sound than this, the silence is what is usual. */
const leastSoundShare = 0.05

/**
 * Where a recording is louder than it usually is.
 * @param momentary the loudest 400 ms of each second, LUFS (EBU R 128)
 */
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
