import type { Frame } from 'node-av/lib'
import { filterOne } from './filter-chain.ts'

/** Scores from here on mean that there is something to see. */
export const telling = 1

const width = 64
const height = 36
const bins = 64

/**
 * How much there is to see in a frame: 0 for a black, white or flat one, up to about 8.
 * It is the variety of its brightness (in bits) and its contrast, on a small copy.
 */
export function rateFrame(frame: Frame): number {
  const small = filterOne(frame, [`scale=${width}:${height}:flags=area`, 'format=gray'])
  const score = rateBrightness(small.toBuffer())
  small.free()
  return score
}

/** @param luma one byte per pixel */
export function rateBrightness(luma: Uint8Array): number {
  const histogram = new Array<number>(bins).fill(0)
  let sum = 0
  let squares = 0
  for (const value of luma) {
    const bin = Math.floor((value * bins) / 256)
    histogram[bin] = (histogram[bin] ?? 0) + 1
    sum += value
    squares += value * value
  }
  const mean = sum / luma.length
  const deviation = Math.sqrt(Math.max(0, squares / luma.length - mean * mean))
  const variety = histogram.reduce((bits, count) => {
    const share = count / luma.length
    return share > 0 ? bits - share * Math.log2(share) : bits
  }, 0)
  const score = variety + Math.min(deviation, 64) / 32
  return mean < 24 || mean > 236 || deviation < 8 ? Math.min(score / 10, telling / 2) : score
}
