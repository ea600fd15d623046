import type { IRational } from 'node-av/lib'
import { UnplayableSourceError } from '../media-errors.ts'
import { roundToMs } from '../source/packet-tally.ts'
import type { PictureIndex } from '../source/picture-list.ts'
import type { CutTask } from './media-task.ts'

/** One picture of the result, in units of the source's clock. */
export type KeptPicture = { source: number; output: number }

/** A part that begins with a picture and ends where the next one would begin; in units of the source's clock. */
export type KeptPart = {
  start: number
  end: number
  /** When it begins in the result. */
  output: number
  /** In the order of showing. */
  pictures: KeptPicture[]
}

/** The clock of a source, and where playback begins by it. */
export type SourceClock = { base: IRational; offsetSeconds: number }

/** Who chose a picture by its time rounded it to thousandths. */
const toleranceSeconds = 0.0015
/** A picture shown for longer is kept in part, where the cut is in its middle. */
const longHoldSeconds = 0.1

/**
 * Finds the pictures of each part: those that begin in it, of which fields may be ones of their own. Where nothing begins for a while, the one on show at the
 * beginning comes first.
 * @throws UnplayableSourceError when no picture is kept
 */
export function alignParts(
  index: Pick<PictureIndex, 'shown' | 'end'>,
  clock: SourceClock,
  wanted: CutTask['parts'],
): KeptPart[] {
  const { base, offsetSeconds } = clock
  const toTime = (seconds: number) => ((seconds + offsetSeconds) * base.den) / base.num
  const tolerance = (toleranceSeconds * base.den) / base.num
  const hold = (longHoldSeconds * base.den) / base.num
  const { shown } = index
  const parts: KeptPart[] = []
  let output = 0
  for (const { fromSeconds, toSeconds } of wanted) {
    const from = toTime(fromSeconds)
    const to = toTime(toSeconds)
    const first = findPlace(shown, from - tolerance)
    const next = findPlace(shown, to - tolerance)
    const begins = shown[first] ?? index.end
    const isHeld = begins - from > hold && first > 0
    const start = isHeld || (first === 0 && begins - from > hold) ? Math.round(from) : begins
    const nextBegins = shown[next] ?? index.end
    const end = nextBegins - to > hold ? Math.round(to) : nextBegins
    const times = shown.slice(isHeld ? first - 1 : first, next)
    if (times.length === 0 || end <= start) continue
    const shift = output - start
    const pictures = times.map((time) => ({ source: time, output: Math.max(time + shift, output) }))
    // A first picture that is late is shown from the start.
    if (pictures[0]) pictures[0].output = output
    parts.push({ start, end, output, pictures })
    output += end - start
  }
  if (parts.length === 0) throw new UnplayableSourceError('No picture of this video is kept.')
  return parts
}

/** What was kept, as seconds of playback. */
export function describeParts(parts: readonly KeptPart[], clock: SourceClock): CutTask['parts'] {
  const { base, offsetSeconds } = clock
  const toPlayback = (time: number) => roundToMs((time * base.num) / base.den - offsetSeconds)
  return parts.map(({ start, end }) => ({
    fromSeconds: Math.max(0, toPlayback(start)),
    toSeconds: toPlayback(end),
  }))
}

/** Where in a rising list the first is that is not below. */
export function findPlace(values: readonly number[], least: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
