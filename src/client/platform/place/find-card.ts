/** Own key and those of neighbours. */
export type CardKeys = {
  /** In list order. */
  keys: readonly string[]
  index: number
}

export type FoundCard = {
  at: number
  /** 'previous' and 'next' replace a missing card. */
  kind: 'same' | 'next' | 'previous'
}

/** Neighbours may be this far apart, with new cards in between. */
const REACH = 16

/**
 * The card, or its nearest neighbour (next ones first). Prefers the occurrence near its neighbours,
 * because cards repeat and move, such as in the history.
 */
export function findCard(list: readonly string[], card: CardKeys): FoundCard | undefined {
  const places = placesOf(list)
  const found = candidates(card).flatMap(({ key, kind }) => {
    const others = card.keys.filter((one) => one !== key)
    const isNear = (at: number) => (one: string) =>
      (places.get(one) ?? []).some((place) => Math.abs(place - at) <= REACH)
    const all = (places.get(key) ?? []).map((at) => ({
      ...{ at, kind },
      neighbours: others.filter(isNear(at)).length,
    }))
    return all.toSorted((a, b) => b.neighbours - a.neighbours).slice(0, 1)
  })
  return found.find(({ neighbours }) => neighbours > 0) ?? found[0]
}

function candidates({ keys, index }: CardKeys): { key: string; kind: FoundCard['kind'] }[] {
  return [
    ...keys.slice(index, index + 1).map((key) => ({ key, kind: 'same' as const })),
    ...keys.slice(index + 1).map((key) => ({ key, kind: 'next' as const })),
    ...keys
      .slice(0, index)
      .reverse()
      .map((key) => ({ key, kind: 'previous' as const })),
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
