/** Own key and those of neighbours. */
export type CardKeys = {
  /** In list order. */
  keys: readonly string[]
  index: number
}

export type FoundCard = {
  at: number
  /** 'previous' and 'next' replace a missing or moved card. */
  kind: 'same' | 'next' | 'previous'
  /** Position of the found card in `CardKeys.keys`. */
  index: number
  /** The card itself is elsewhere in the list. */
  hasMoved: boolean
}

type Candidate = { key: string; kind: FoundCard['kind']; index: number }

/** Neighbours may be this far apart, with new cards in between. */
const REACH = 16

/**
 * The card, or its nearest neighbour (next ones first). Prefers the occurrence near its neighbours,
 * because cards repeat and move, such as in the history, where a watched one becomes the first.
 */
export function findCard(list: readonly string[], card: CardKeys): FoundCard | undefined {
  const places = placesOf(list)
  const found = candidates(card).flatMap((candidate) => {
    const all = (places.get(candidate.key) ?? []).map((at) => {
      const before = countNear(card.keys.slice(0, candidate.index), at)
      const after = countNear(card.keys.slice(candidate.index + 1), at)
      return {
        ...{ at, candidate },
        neighbours: before.all + after.all,
        isInOrder: hasOrder(before.all, before.above) && hasOrder(after.all, after.below),
      }
    })
    return all.toSorted((a, b) => b.neighbours - a.neighbours).slice(0, 1)
  })
  const near = found.filter(({ neighbours }) => neighbours > 0)
  const best = near.find(({ isInOrder }) => isInOrder) ?? near[0] ?? found[0]
  if (!best) return undefined
  const { kind, index } = best.candidate
  const isKept = found[0]?.candidate.kind === 'same'
  return { at: best.at, kind, index, hasMoved: kind !== 'same' && isKept }

  /** How many of `keys` are near a place of the list, and on which side of it. */
  function countNear(keys: readonly string[], at: number) {
    const near = keys
      .map((key) => (places.get(key) ?? []).filter((place) => Math.abs(place - at) <= REACH))
      .filter((some) => some.length > 0)
    const above = near.filter((some) => some.some((place) => place < at)).length
    const below = near.filter((some) => some.some((place) => place > at)).length
    return { all: near.length, above, below }
  }
}

/** A new ranking may move some neighbours to the other side, but not all of them. */
const hasOrder = (all: number, inOrder: number) => all === 0 || inOrder > 0

function candidates({ keys, index }: CardKeys): Candidate[] {
  const all = keys.map((key, at) => ({ key, index: at }))
  return [
    ...all.slice(index, index + 1).map((one) => ({ ...one, kind: 'same' as const })),
    ...all.slice(index + 1).map((one) => ({ ...one, kind: 'next' as const })),
    ...all
      .slice(0, index)
      .reverse()
      .map((one) => ({ ...one, kind: 'previous' as const })),
  ]
}

function placesOf(list: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, key] of list.entries()) {
    const known = places.get(key)
    if (known) known.push(at)
    else places.set(key, [at])
  }
  return places
}
