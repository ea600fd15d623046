import type { PictureIndex } from '../source/picture-list.ts'
import type { KeptPart, KeptPicture } from './cut-parts.ts'

export type CutRun =
  | { kind: 'encode'; pictures: KeptPicture[] }
  /** Decoding order, `until` exclusive; `shift` to the result's time. */
  | { kind: 'copy'; from: number; until: number; shift: number; first: number }

/** Shorter runs are encoded. */
const leastCopied = 8

/**
 * Copies between clean key frames and the last picture that closes its group; encodes the rest.
 * @param clean indices of key frames that close everything before them
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
    const isClosed = (place: number) =>
      (before[place] ?? 0) < (times[place] ?? 0) && laterLeast[place] === times[place]
    // A late first picture moves to the start.
    const late = (pictures[0]?.source ?? start) > start ? (pictures[0]?.source ?? start) + 1 : start
    const from = clean.find((place) => (times[place] ?? 0) >= late && isClosed(place))
    const first = from === undefined ? end : (times[from] ?? end)
    const until = from === undefined ? 0 : findLastClosed(index, { from, end, laterLeast })
    if (from === undefined || first >= end || until - from < leastCopied) {
      encode(pictures)
      continue
    }
    const behind = until < times.length ? (laterLeast[until] ?? end) : end
    encode(pictures.filter(({ source }) => source < first))
    runs.push({ kind: 'copy', from, until, shift: output - start, first })
    encode(pictures.filter(({ source }) => source >= behind))
  }
  return runs
}

/** Where decoding and presentation order agree, before `end`. */
function findLastClosed(
  { times }: PictureIndex,
  { from, end, laterLeast }: { from: number; end: number; laterLeast: readonly number[] },
): number {
  let most = Number.NEGATIVE_INFINITY
  let found = from
  for (let place = from; place < times.length; place += 1) {
    most = Math.max(most, times[place] ?? 0)
    if (most >= end) break
    if (most < (laterLeast[place + 1] ?? Number.POSITIVE_INFINITY)) found = place + 1
  }
  return found
}

/** Suffix minimum. */
function leastOfLater(times: readonly number[]): number[] {
  const least = new Array<number>(times.length)
  let found = Number.POSITIVE_INFINITY
  for (let place = times.length - 1; place >= 0; place -= 1) {
    found = Math.min(found, times[place] ?? found)
    least[place] = found
  }
  return least
}

/** Prefix maximum, exclusive. */
function mostOfEarlier(times: readonly number[]): number[] {
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
    const order = times.slice(run.from, run.until)
    const ranks = new Map(order.toSorted((a, b) => a - b).map((time, rank) => [time, rank]))
    for (const [place, time] of order.entries()) {
      delay = Math.max(delay, place - (ranks.get(time) ?? place))
    }
  }
  return delay
}
