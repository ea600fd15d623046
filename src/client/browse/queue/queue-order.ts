export type Loop = 'off' | 'all' | 'one'

/** A seed gives a stable order, even when the list grows. */
export type Shuffle = { list: string; seed: number; firstId: number }

type Entry = { id: number }

/** Last played; `index` serves when the video is gone. */
export type Place = { videoId: number; index: number }

/** Begins with `firstId`. */
export function shuffleEntries<One extends Entry>(
  entries: readonly One[],
  { seed, firstId }: Pick<Shuffle, 'seed' | 'firstId'>,
): One[] {
  const first = entries.filter(({ id }) => id === firstId)
  const rest = entries
    .filter(({ id }) => id !== firstId)
    .sort((a, b) => rankOf(a.id, seed) - rankOf(b.id, seed) || a.id - b.id)
  return [...first, ...rest]
}

/** Hash of both numbers. */
function rankOf(id: number, seed: number): number {
  let bits = Math.imul(id ^ seed, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b)
  return (bits ^ (bits >>> 13)) >>> 0
}

/**
 * Nearest first; `isRound` wraps around.
 * @param place last position, for a removed video
 */
export function entriesFrom<One extends Entry>(
  entries: readonly One[],
  input: { videoId: number; step: 1 | -1; isRound: boolean; place?: Place | undefined },
): One[] {
  const { videoId, step, isRound, place } = input
  const index = entries.findIndex(({ id }) => id === videoId)
  const gap = place?.videoId === videoId ? place.index : 0
  const after = index < 0 ? entries.slice(gap) : entries.slice(index + 1)
  const before = index < 0 ? entries.slice(0, gap) : entries.slice(0, index)
  if (step > 0) return isRound ? [...after, ...before] : after
  return isRound ? [...before.reverse(), ...after.reverse()] : before.reverse()
}

type OrderInput = {
  key: string | undefined
  /** Current entry. */
  id: number
  settings: { loop: Loop; shuffle: Shuffle | null }
  place: Place | undefined
}

/** In playback order, with neighbours. */
export function inOrder<One extends Entry>(listed: readonly One[], input: OrderInput) {
  const { key, id, settings, place } = input
  const { loop, shuffle } = settings
  const isShuffled = shuffle !== null && shuffle.list === key
  const entries = isShuffled ? shuffleEntries(listed, shuffle) : listed
  return {
    isShuffled,
    entries,
    index: entries.findIndex((entry) => entry.id === id),
    around: (step: 1 | -1) =>
      entriesFrom(entries, { videoId: id, step, isRound: loop === 'all', place }),
  }
}
