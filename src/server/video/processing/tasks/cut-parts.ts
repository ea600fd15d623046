import type { IRational } from 'node-av/lib'
import { UnplayableSourceError } from '../media-errors.ts'
import { roundToMs } from '../source/packet-tally.ts'
import type { PictureIndex } from '../source/picture-list.ts'
import type { CutTask } from './media-task.ts'

/** Times of each in the source and in the result; presentation order, source clock. */
export type KeptPictures = { sources: Float64Array; outputs: Float64Array }

/** Source clock; ends where the next picture would begin. */
export type KeptPart = {
  start: number
  end: number
  output: number
  /** Range of its pictures in `KeptPictures`, `until` exclusive. */
  from: number
  until: number
}

export type SourceClock = { base: IRational; offsetSeconds: number }

/** Chosen times are in milliseconds. */
const toleranceSeconds = 0.0015
/** A longer picture is kept in part. */
const longHoldSeconds = 0.1

/**
 * Pictures (or fields) that begin in each part; in a long pause, the one on screen.
 * @throws UnplayableSourceError without any
 */
export function alignParts(
  index: Pick<PictureIndex, 'shown' | 'end'>,
  clock: SourceClock,
  wanted: CutTask['parts'],
): { parts: KeptPart[]; pictures: KeptPictures } {
  const { base, offsetSeconds } = clock
  const toTime = (seconds: number) => ((seconds + offsetSeconds) * base.den) / base.num
  const tolerance = (toleranceSeconds * base.den) / base.num
  const hold = (longHoldSeconds * base.den) / base.num
  const { shown } = index
  const parts: KeptPart[] = []
  // A picture on screen is kept once more.
  const most = shown.length + wanted.length
  const [sources, outputs] = [new Float64Array(most), new Float64Array(most)]
  let count = 0
  let output = 0
  for (const { fromSeconds, toSeconds } of wanted) {
    const from = toTime(fromSeconds)
    const to = toTime(toSeconds)
    const first = findLowerBound(shown, from - tolerance)
    const next = findLowerBound(shown, to - tolerance)
    const begins = shown[first] ?? index.end
    const isHeld = begins - from > hold && first > 0
    // Sound may begin before the first picture.
    const isLate = first === 0 && begins > from
    const start = isHeld || isLate ? Math.round(from) : begins
    const nextBegins = shown[next] ?? index.end
    const end = nextBegins - to > hold ? Math.round(to) : nextBegins
    const times = shown.subarray(isHeld ? first - 1 : first, next)
    if (times.length === 0 || end <= start) continue
    const shift = output - start
    sources.set(times, count)
    const placed = times.map((time) => Math.max(time + shift, output))
    outputs.set(placed, count)
    outputs[count] = output
    parts.push({ start, end, output, from: count, until: count + times.length })
    count += times.length
    output += end - start
  }
  if (parts.length === 0) throw new UnplayableSourceError('No picture of this video is kept.')
  const pictures = { sources: sources.subarray(0, count), outputs: outputs.subarray(0, count) }
  return { parts, pictures }
}

/** In playback time. */
export function describeParts(parts: readonly KeptPart[], clock: SourceClock): CutTask['parts'] {
  const { base, offsetSeconds } = clock
  const toPlayback = (time: number) => roundToMs((time * base.num) / base.den - offsetSeconds)
  return parts.map(({ start, end }) => ({
    fromSeconds: Math.max(0, toPlayback(start)),
    toSeconds: toPlayback(end),
  }))
}

export function findLowerBound(values: ArrayLike<number>, least: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
