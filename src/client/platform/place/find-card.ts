/** A card of a list, identified by its own key and those of its neighbours. */
export type CardKeys = {
  /** In list order. */
  keys: readonly string[]
  /** The index of the card in `keys`. */
  index: number
}

export type FoundCard = {
  /** The index in the list. */
  at: number
  /** 'previous' and 'next' are neighbours of a card that is no longer in the list. */
  kind: 'same' | 'next' | 'previous'
}

/** The distance within which neighbours count, as new cards may be between them. */
const REACH = 16

/**
 * Finds a card in a list that may have changed; when the card is gone, its nearest neighbour, the next ones first. A card
 * can occur more than once on a page and can have moved, as a watched video moves to the top of the history, so the
 * occurrence near its neighbours is preferred.
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
