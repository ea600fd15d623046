import { MONTAGE_ITEM_SECONDS_MIN } from '#shared/limits.ts'

/** Who is large from when to when, in seconds of the match. */
export type Cut = { videoId: number; fromSeconds: number; toSeconds: number }

/** Differences of time below this are not noticed. */
const TOUCHING_SECONDS = 0.05

const lengthOf = ({ fromSeconds, toSeconds }: Cut) => toSeconds - fromSeconds

/**
 * Puts a cut in the place of what is there, by time. Neighbours of one recording become one cut, and those that are too short
 * for a montage are dropped.
 */
export function addCut(cuts: readonly Cut[], added: Cut): Cut[] {
  if (lengthOf(added) < MONTAGE_ITEM_SECONDS_MIN) return [...cuts]
  const { fromSeconds, toSeconds } = added
  const others = cuts.flatMap((cut) => [
    { ...cut, toSeconds: Math.min(cut.toSeconds, fromSeconds) },
    { ...cut, fromSeconds: Math.max(cut.fromSeconds, toSeconds) },
  ])
  const sorted = [...others, added]
    .filter((cut) => lengthOf(cut) >= MONTAGE_ITEM_SECONDS_MIN)
    .sort((one, other) => one.fromSeconds - other.fromSeconds)
  const joined: Cut[] = []
  for (const cut of sorted) {
    const last = joined.at(-1)
    const isNext = last && cut.fromSeconds - last.toSeconds < TOUCHING_SECONDS
    if (last && isNext && cut.videoId === last.videoId) last.toSeconds = cut.toSeconds
    else joined.push({ ...cut })
  }
  return joined
}

/** Moves one end of a cut, up to its neighbours. */
export function moveEnd(
  cuts: readonly Cut[],
  { index, end, seconds }: { index: number; end: 'from' | 'to'; seconds: number },
): Cut[] {
  const least = cuts[index - 1]?.toSeconds ?? 0
  const most = cuts[index + 1]?.fromSeconds ?? Number.POSITIVE_INFINITY
  return cuts.map((cut, at) => {
    if (at !== index) return cut
    const [from, to] = [cut.fromSeconds, cut.toSeconds]
    return end === 'from'
      ? { ...cut, fromSeconds: Math.max(least, Math.min(seconds, to - MONTAGE_ITEM_SECONDS_MIN)) }
      : { ...cut, toSeconds: Math.min(most, Math.max(seconds, from + MONTAGE_ITEM_SECONDS_MIN)) }
  })
}

/** Within what its recording has. @returns undefined if too little is left for a montage */
export function partOf(
  cut: Cut,
  { offsetSeconds, durationSeconds }: { offsetSeconds: number; durationSeconds: number },
): { fromSeconds: number; toSeconds: number } | undefined {
  const fromSeconds = Math.max(0, cut.fromSeconds - offsetSeconds)
  const toSeconds = Math.min(durationSeconds, cut.toSeconds - offsetSeconds)
  return toSeconds - fromSeconds < MONTAGE_ITEM_SECONDS_MIN ? undefined : { fromSeconds, toSeconds }
}

/** Ignores what is not a list of cuts. */
export function readCuts(text: string | null): Cut[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isCut) : []
  } catch {
    return []
  }
}

function isCut(value: unknown): value is Cut {
  const { videoId, fromSeconds, toSeconds } = Object(value) as Record<string, unknown>
  return [videoId, fromSeconds, toSeconds].every((number) => Number.isFinite(number))
}
