/** A card of a list, known by the keys of itself and of its neighbours. */
export type CardKeys = {
  /** In the order of the list. */
  keys: readonly string[]
  /** Which of `keys` is the card. */
  index: number
}

export type FoundCard = {
  /** Where it is in the list. */
  at: number
  /** 'previous' and 'next' are neighbours of a card that is gone. */
  kind: 'same' | 'next' | 'previous'
}

/** Neighbours count within so many cards: others may have come between them. */
const REACH = 16

/**
 * Finds a card in a list that may have changed; of a card that is gone, its nearest neighbour, the next ones first. A card
 * can be in a page more than once, and can have moved, as what was watched moves to the top of the history: it is looked
 * for where its neighbours are.
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
