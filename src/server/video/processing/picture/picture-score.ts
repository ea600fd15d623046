import type { Frame } from 'node-av/lib'
import { filterOne } from '../filter-chain.ts'

/** Frames below show next to nothing. */
export const meaningfulScore = 1

const width = 256
const height = 144
const pixels = width * height
const bins = 64

export type FrameRating = {
  /** Entropy in bits and contrast: 0 (flat) to about 8. */
  score: number
  /** Percentiles 1 to 99, 0 to 255; halved in mid-fade. */
  range: number
  /** Fineness of edges without contrast; blur leaves a quarter. */
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
    score: isFlat ? Math.min(score / 10, meaningfulScore / 2) : score,
    range: findBrightness(histogram, 0.99) - findBrightness(histogram, 0.01),
    detail: Math.min(measureEdges(luma) / Math.max(deviation, 1), fineDetail),
  }
}

/** Finer edges, such as text, are no sharper. */
const fineDetail = 0.25

/** Frames below may be blurred or faded. */
const clearDetail = 0.07
const clearRange = 100

export function isClear({ score, range, detail }: FrameRating): boolean {
  return score >= meaningfulScore && range >= clearRange && detail >= clearDetail
}

/** Shares of the recording's best. */
const usualRange = 0.8
const usualDetail = 0.4

/** Compares frames of one recording: less range means a fade, less detail a blur. */
export function makeFrameComparer() {
  let range = 0
  let detail = 0
  return {
    note(rating: FrameRating): void {
      if (rating.score < meaningfulScore) return
      range = Math.max(range, rating.range)
      detail = Math.max(detail, rating.detail)
    },
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

function findBrightness(histogram: number[], share: number): number {
  let seen = 0
  return histogram.findIndex((count) => {
    seen += count
    return seen >= share * pixels
  })
}

/** Mean absolute Laplacian. */
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
