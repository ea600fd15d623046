import type { Frame } from 'node-av/lib'
import { filterOne } from '../filter-chain.ts'

/** Scores from here on mean that there is something to see. */
export const telling = 1

const width = 256
const height = 144
const pixels = width * height
const bins = 64

/** Statistics of a small copy of a frame. */
export type FrameRating = {
  /**
   * How much there is to see: 0 for a black, white or flat frame, up to about 8. It is the variety of its
   * brightness (in bits) and its contrast.
   */
  score: number
  /** From the darkest hundredth of it to the brightest, 0 to 255; a frame half faded has half of it. */
  range: number
  /** How fine its edges are, whatever their contrast; blurring leaves a quarter of it or less. */
  detail: number
}

export function rateFrame(frame: Frame): FrameRating {
  const small = filterOne(frame, [`scale=${width}:${height}:flags=area`, 'format=gray'])
  const luma = small.toBuffer()
  small.free()
  const histogram = countBrightness(luma)
  const { mean, deviation } = measureContrast(histogram)
  const score = measureVariety(histogram) + Math.min(deviation, 64) / 32
  const isFlat = mean < 24 || mean > 236 || deviation < 8
  return {
    score: isFlat ? Math.min(score / 10, telling / 2) : score,
    range: findBrightness(histogram, 0.99) - findBrightness(histogram, 0.01),
    detail: Math.min(measureEdges(luma) / Math.max(deviation, 1), fineDetail),
  }
}

/** What has more, such as text, is not sharper than what has this. */
const fineDetail = 0.25

/** Below these a frame may be blurred or faded, whatever the others are like. */
const clearDetail = 0.07
const clearRange = 100

export function isClear({ score, range, detail }: FrameRating): boolean {
  return score >= telling && range >= clearRange && detail >= clearDetail
}

/** What frames of one recording have of the best of it without being faded or blurred. */
const usualRange = 0.8
const usualDetail = 0.4

/**
 * Weighs frames of one recording against each other: one with clearly less range than another is in a fade,
 * one with clearly less detail is blurred.
 */
export function makeJudge() {
  let range = 0
  let detail = 0
  return {
    note(rating: FrameRating): void {
      if (rating.score < telling) return
      range = Math.max(range, rating.range)
      detail = Math.max(detail, rating.detail)
    },
    /** @returns the score, less what a fade or a blur takes from it */
    weigh(rating: FrameRating): number {
      const shown = shareOf(rating.range, range * usualRange)
      const sharp = shareOf(rating.detail, detail * usualDetail)
      return rating.score * shown ** 2 * sharp ** 2
    },
  }
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : 1
}

/** How many pixels have each brightness. */
function countBrightness(luma: Uint8Array): number[] {
  const histogram = new Array<number>(256).fill(0)
  for (const value of luma) histogram[value] = (histogram[value] ?? 0) + 1
  return histogram
}

function measureContrast(histogram: number[]): { mean: number; deviation: number } {
  const meanOf = (valueAt: (brightness: number) => number) =>
    histogram.reduce((sum, count, at) => sum + count * valueAt(at), 0) / pixels
  const mean = meanOf((brightness) => brightness)
  return { mean, deviation: Math.sqrt(meanOf((brightness) => (brightness - mean) ** 2)) }
}

function measureVariety(histogram: number[]): number {
  const perBin = histogram.length / bins
  const shares = new Array<number>(bins).fill(0)
  for (const [at, count] of histogram.entries()) {
    const bin = Math.floor(at / perBin)
    shares[bin] = (shares[bin] ?? 0) + count / pixels
  }
  return shares.reduce((bits, share) => (share > 0 ? bits - share * Math.log2(share) : bits), 0)
}

/** The brightness that so much of the picture is not above. */
function findBrightness(histogram: number[], share: number): number {
  let seen = 0
  return histogram.findIndex((count) => {
    seen += count
    return seen >= share * pixels
  })
}

/** Mean size of the Laplacian: how much pixels differ from the four around them. */
function measureEdges(luma: Uint8Array): number {
  let sum = 0
  for (let y = 1; y < height - 1; y += 1) {
    const end = (y + 1) * width - 1
    for (let at = y * width + 1; at < end; at += 1) {
      const horizontal = (luma[at - 1] ?? 0) + (luma[at + 1] ?? 0)
      const above = (luma[at - width] ?? 0) + (luma[at + width] ?? 0)
      sum += Math.abs(4 * (luma[at] ?? 0) - horizontal - above)
    }
  }
  return sum / pixels
}
