import { correlate } from './fourier.ts'
import { ONSET_RATE } from './onsets.ts'

/** How many times greater the best correlation has to be than any at another place. */
const leastRatio = 1.2
/** And how many times greater than those of unrelated sounds usually are. */
const leastDeviations = 9
/** Shots of one burst are not another place. */
const samePlaceSeconds = 0.5
const leastOverlapSeconds = 8
/** In fewer parts of the overlap, the recordings only have a melody or a signal in common. */
const parts = 8
const leastPartsShare = 0.5
const leastPartLikeness = 0.1
const smoothedSeconds = 2

export type SoundOffset = {
  /** The second of the first recording at which the other begins. */
  seconds: number
  /** Ratio of the best score to the second best. */
  ratio: number
  deviations: number
  /** Parts of the overlap that agree, 0 to 1. */
  share: number
}

/** Null where a wrong answer is possible. See docs/decisions/0095-squad-views.md. */
export function findSoundOffset(one: Float32Array, other: Float32Array): SoundOffset | null {
  const found = measureSoundOffset(one, other)
  if (!found) return null
  const { ratio, deviations, share } = found
  const isSure = ratio >= leastRatio && deviations >= leastDeviations && share >= leastPartsShare
  return isSure ? found : null
}

export function measureSoundOffset(one: Float32Array, other: Float32Array): SoundOffset | null {
  const first = withoutTrend(one)
  const second = withoutTrend(other)
  const least = leastOverlapSeconds * ONSET_RATE
  if (first.length < least || second.length < least) return null
  const scores = scoreShifts(first, second, least)
  let best = 0
  for (let at = 0; at < scores.length; at += 1) {
    if ((scores[at] ?? 0) > (scores[best] ?? 0)) best = at
  }
  const firstShift = least - second.length
  const top = scores[best] ?? 0
  const overlap = (at: number) => lengthOf(overlapOf(first, second, firstShift + at))
  const others = otherPlaces(scores, { best, overlap })
  if (!others || top <= 0) return null
  const shift = firstShift + best
  return {
    seconds: (shift + summit(scores, best)) / ONSET_RATE,
    ratio: top / others.next,
    deviations: top / others.usual,
    share: shareOfParts(first, second, shift),
  }
}

/** The second best score, and the usual one. Null if there are no others. */
function otherPlaces(
  scores: Float64Array,
  { best, overlap }: { best: number; overlap: (at: number) => number },
): { next: number; usual: number } | null {
  const near = samePlaceSeconds * ONSET_RATE
  const others = scores.filter((_, at) => Math.abs(at - best) > near)
  const usual = Math.sqrt(others.reduce((sum, score) => sum + score ** 2, 0) / others.length)
  let next = 0
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0
    if (Math.abs(at - best) <= near) continue
    // What sounds the same in a shorter overlap, such as a melody that is repeated, counts as much.
    const isRepeated = score >= leastDeviations * usual
    const longer = isRepeated ? Math.sqrt(Math.max(1, overlap(best) / overlap(at))) : 1
    next = Math.max(next, score * longer)
  }
  return next > 0 ? { next, usual } : null
}

/** Minus what is usual around it, so that a loud passage is no likeness. */
function withoutTrend(onsets: Float32Array): Float32Array {
  const reach = (smoothedSeconds * ONSET_RATE) / 2
  const sums = prefixSums(onsets)
  return onsets.map((value, at) => {
    const [from, until] = [Math.max(0, at - reach), Math.min(onsets.length, at + reach)]
    return value - ((sums[until] ?? 0) - (sums[from] ?? 0)) / (until - from)
  })
}

function prefixSums(values: Float32Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let at = 0; at < values.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (values[at] ?? 0)
  return sums
}

/**
 * Of unrelated sounds they are equally spread, however long the overlap.
 * @returns from the shift at which only the end of `other` overlaps
 */
function scoreShifts(one: Float32Array, other: Float32Array, least: number): Float64Array {
  const products = correlate(one, other)
  const energies = [one, other].map((values) => prefixSums(values.map((value) => value ** 2)))
  const [ofOne, ofOther] = energies as [Float64Array, Float64Array]
  const first = least - other.length
  const scores = new Float64Array(one.length + other.length - 2 * least + 1)
  for (let index = 0; index < scores.length; index += 1) {
    const shift = first + index
    const [from, until] = overlapOf(one, other, shift)
    const energy =
      ((ofOne[until] ?? 0) - (ofOne[from] ?? 0)) *
      ((ofOther[until - shift] ?? 0) - (ofOther[from - shift] ?? 0))
    const product = products[shift < 0 ? products.length + shift : shift] ?? 0
    scores[index] = energy > 0 ? (product / Math.sqrt(energy)) * Math.sqrt(until - from) : 0
  }
  return scores
}

const lengthOf = ([from, until]: [number, number]) => until - from

/** In `one`. */
function overlapOf(one: Float32Array, other: Float32Array, shift: number): [number, number] {
  return [Math.max(0, shift), Math.min(one.length, other.length + shift)]
}

/** The top of a parabola through the neighbours, -0.5 to 0.5. */
function summit(scores: Float64Array, best: number): number {
  const [before = 0, top = 0, after = 0] = [scores[best - 1], scores[best], scores[best + 1]]
  const bend = before - 2 * top + after
  return bend < 0 ? Math.min(Math.max((before - after) / (2 * bend), -0.5), 0.5) : 0
}

function shareOfParts(one: Float32Array, other: Float32Array, shift: number): number {
  const [from, until] = overlapOf(one, other, shift)
  let [agreeing, heard] = [0, 0]
  for (let part = 0; part < parts; part += 1) {
    const begin = from + Math.floor(((until - from) * part) / parts)
    const end = from + Math.floor(((until - from) * (part + 1)) / parts)
    let [product, ofOne, ofOther] = [0, 0, 0]
    for (let at = begin; at < end; at += 1) {
      const [value, otherValue] = [one[at] ?? 0, other[at - shift] ?? 0]
      product += value * otherValue
      ofOne += value ** 2
      ofOther += otherValue ** 2
    }
    if (ofOne === 0 || ofOther === 0) continue
    heard += 1
    if (product / Math.sqrt(ofOne * ofOther) >= leastPartLikeness) agreeing += 1
  }
  return heard === 0 ? 0 : agreeing / heard
}

/** Parts of a recording that agree on where it lies. */
const agreeingSeconds = 0.1

/**
 * Where each recording begins, counted from one of them, which is the first if possible; null where
 * the sound does not tell. All pairs are compared, and the surest come first. A recording for which
 * two disagree stays null.
 */
export function alignSounds(recordings: readonly Float32Array[]): (number | null)[] {
  const pairs = recordings.flatMap((one, from) =>
    recordings.flatMap((other, to) => {
      const found = to > from ? findSoundOffset(one, other) : null
      return found ? [{ from, to, ...found }] : []
    }),
  )
  const sure = pairs.sort((one, other) => other.deviations - one.deviations)
  const isFirstHeard = sure.some(({ from }) => from === 0)
  const start = isFirstHeard ? 0 : sure[0]?.from
  const places: (number | null)[] = recordings.map((_, index) => (index === start ? 0 : null))
  for (;;) {
    const next = sure.find(({ from, to }) => (places[from] === null) !== (places[to] === null))
    if (!next) break
    const { from, to, seconds } = next
    if (places[to] == null) places[to] = (places[from] ?? 0) + seconds
    else places[from] = places[to] - seconds
  }
  const disagreeing = sure.filter(({ from, to, seconds }) => {
    const [one, other] = [places[from], places[to]]
    return one != null && other != null && Math.abs(other - one - seconds) > agreeingSeconds
  })
  const doubtful = new Set(disagreeing.flatMap(({ from, to }) => [from, to]))
  return places.map((place, index) => (index !== start && doubtful.has(index) ? null : place))
}
