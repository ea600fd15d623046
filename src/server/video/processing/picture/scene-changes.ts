import type { Frame } from 'node-av/lib'
import { findOutliers, type Outlier } from '../outliers.ts'

/** 0 to 1. */
export type Difference = { seconds: number; value: number }

const quarters = 4
const bins = 16
/** Per row. */
const sampledPixels = 128

const leastAboveUsual = 0.3
const deviations = 5

export function makeSceneMeter() {
  const differences: Difference[] = []
  let before: number[] | null = null
  return {
    differences,
    /** @param frame its first plane is 8-bit brightness */
    push(frame: Frame, seconds: number): void {
      const histogram = countBrightness(frame)
      if (!histogram) return
      if (before) differences.push({ seconds, value: compare(before, histogram) })
      before = histogram
    },
  }
}

export function findSceneChanges(differences: readonly Difference[]): Outlier[] {
  return findOutliers(differences, { deviations, leastAbove: leastAboveUsual })
}

/** Shares per quarter. */
function countBrightness(frame: Frame): number[] | null {
  const [luma] = frame.data ?? []
  const [stride] = frame.linesize
  const { width, height } = frame
  if (!luma || !stride) return null
  const step = Math.max(1, Math.floor(width / sampledPixels))
  const counts = new Array<number>(quarters * bins).fill(0)
  let sampled = 0
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const quarter = (y * 2 < height ? 0 : 2) + (x * 2 < width ? 0 : 1)
      const bin = quarter * bins + ((luma[y * stride + x] ?? 0) >> 4)
      counts[bin] = (counts[bin] ?? 0) + 1
      sampled += 1
    }
  }
  return counts.map((count) => count / sampled)
}

function compare(one: number[], other: number[]): number {
  return one.reduce((sum, share, bin) => sum + Math.abs(share - (other[bin] ?? 0)), 0) / 2
}
