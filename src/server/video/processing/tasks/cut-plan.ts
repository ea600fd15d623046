import type { PictureIndex } from '../source/picture-list.ts'
import { findLowerBound, type KeptPart, type KeptPicture } from './cut-parts.ts'

export type CutRun =
  | { kind: 'encode'; pictures: KeptPicture[] }
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
): CutRun[] {
  const { times } = index
  const laterLeast = leastOfLater(times)
  const before = mostOfEarlier(times)
  const runs: CutRun[] = []
  const encode = (pictures: KeptPicture[]) => {
    const last = runs.at(-1)
    if (pictures.length === 0) return
    if (last?.kind === 'encode') last.pictures.push(...pictures)
    else runs.push({ kind: 'encode', pictures: [...pictures] })
  }
  for (const { start, end, output, pictures } of parts) {
    const isClosed = (position: number) =>
      (before[position] ?? 0) < (times[position] ?? 0) && laterLeast[position] === times[position]
    const from = clean.find((position) => (times[position] ?? 0) >= start && isClosed(position))
    const first = from === undefined ? end : (times[from] ?? end)
    const until = from === undefined ? 0 : findLastClosed(index, { from, end, laterLeast })
    if (from === undefined || first >= end || until - from < leastCopied) {
      encode(pictures)
      continue
    }
    const behind = until < times.length ? (laterLeast[until] ?? end) : end
    encode(pictures.filter(({ source }) => source < first))
    // A late first picture moves to the start.
    const isFirst = pictures[0]?.source === first
    const shift = output - start
    runs.push({ kind: 'copy', from, until, shift, output: isFirst ? output : first + shift })
    encode(pictures.filter(({ source }) => source >= behind))
  }
  return runs
}

/** Where decoding and presentation order agree, before `end`. */
function findLastClosed(
  { times }: PictureIndex,
  { from, end, laterLeast }: { from: number; end: number; laterLeast: ArrayLike<number> },
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
function leastOfLater(times: readonly number[]): Float64Array {
  const least = new Float64Array(times.length)
  let found = Number.POSITIVE_INFINITY
  for (let position = times.length - 1; position >= 0; position -= 1) {
    found = Math.min(found, times[position] ?? found)
    least[position] = found
  }
  return least
}

/** Prefix maximum, exclusive. */
function mostOfEarlier(times: readonly number[]): Float64Array {
  let found = Number.NEGATIVE_INFINITY
  return Float64Array.from(times, (time) => {
    const most = found
    found = Math.max(found, time)
    return most
  })
}

export function findDelay({ times }: PictureIndex, runs: readonly CutRun[]): number {
  let delay = 0
  for (const run of runs) {
    if (run.kind === 'encode') continue
    const order = Float64Array.from(times.slice(run.from, run.until))
    const sorted = order.toSorted()
    for (let position = 0; position < order.length; position += 1) {
      const rank = findLowerBound(sorted, order[position] ?? 0)
      delay = Math.max(delay, position - rank)
    }
  }
  return delay
}
