import type { PictureIndex } from '../source/picture-list.ts'
import { findLowerBound, type KeptPart, type KeptPictures } from './cut-parts.ts'

export type CutRun =
  /** Indices in `KeptPictures`, `until` exclusive. */
  | { kind: 'encode'; from: number; until: number }
  /** Decoding order, `until` exclusive; `shift` to the result's time, which begins at `output`. */
  | { kind: 'copy'; from: number; until: number; shift: number; output: number }

/** Shorter runs are encoded. */
const leastCopied = 8

/**
 * Copies from clean key frames to the last picture that closes its group; encodes the rest.
 * @param clean key frames that close everything before them
 */
export function planRuns(
  index: PictureIndex,
  clean: readonly number[],
  parts: readonly KeptPart[],
  { sources }: KeptPictures,
): CutRun[] {
  const { times } = index
  const laterLeast = leastOfLater(times)
  const before = mostOfEarlier(times)
  const runs: CutRun[] = []
  const encode = (from: number, until: number) => {
    const last = runs.at(-1)
    if (from === until) return
    if (last?.kind === 'encode') last.until = until
    else runs.push({ kind: 'encode', from, until })
  }
  for (const part of parts) {
    const { start, end, output } = part
    const own = sources.subarray(part.from, part.until)
    const isClosed = (position: number) =>
      (before[position] ?? 0) < (times[position] ?? 0) && laterLeast[position] === times[position]
    const from = clean.find((position) => (times[position] ?? 0) >= start && isClosed(position))
    const first = from === undefined ? end : (times[from] ?? end)
    const until = from === undefined ? 0 : findLastClosed(index, { from, end, laterLeast })
    if (from === undefined || first >= end || until - from < leastCopied) {
      encode(part.from, part.until)
      continue
    }
    const behind = until < times.length ? (laterLeast[until] ?? end) : end
    encode(part.from, part.from + findLowerBound(own, first))
    // A late first picture moves to the start.
    const isFirst = own[0] === first
    const shift = output - start
    runs.push({ kind: 'copy', from, until, shift, output: isFirst ? output : first + shift })
    encode(part.from + findLowerBound(own, behind), part.until)
  }
  return runs
}

/** Where decoding and presentation order agree, before `end`. */
function findLastClosed(
  { times }: PictureIndex,
  { from, end, laterLeast }: { from: number; end: number; laterLeast: Float64Array },
): number {
  let most = Number.NEGATIVE_INFINITY
  let found = from
  for (let position = from; position < times.length; position += 1) {
    most = Math.max(most, times[position] ?? 0)
    if (most >= end) break
    if (most < (laterLeast[position + 1] ?? Number.POSITIVE_INFINITY)) found = position + 1
  }
  return found
}

/** Suffix minimum. */
function leastOfLater(times: Float64Array): Float64Array {
  const least = new Float64Array(times.length)
  let found = Number.POSITIVE_INFINITY
  for (let position = times.length - 1; position >= 0; position -= 1) {
    found = Math.min(found, times[position] ?? found)
    least[position] = found
  }
  return least
}

/** Prefix maximum, exclusive. */
function mostOfEarlier(times: Float64Array): Float64Array {
  let found = Number.NEGATIVE_INFINITY
  return times.map((time) => {
    const most = found
    found = Math.max(found, time)
    return most
  })
}

export function findDelay({ times }: PictureIndex, runs: readonly CutRun[]): number {
  let delay = 0
  for (const run of runs) {
    if (run.kind === 'encode') continue
    const order = times.subarray(run.from, run.until)
    const sorted = order.toSorted()
    for (let position = 0; position < order.length; position += 1) {
      const rank = findLowerBound(sorted, order[position] ?? 0)
      delay = Math.max(delay, position - rank)
    }
  }
  return delay
}
