import type { SearchIndex } from './search-engine.ts'

/** While very much is indexed, a search may meet a change each time. */
const SEARCHES_MAX = 5

/**
 * Searches, and again while the index changes meanwhile: which videos waited for it would not be known any more.
 * @param idsOf the videos of an answer
 * @returns also which of them wait to be indexed, and were found by what they said before
 */
export async function searchAsIndexed<Found>(
  index: SearchIndex,
  search: () => Promise<Found>,
  idsOf: (found: Found) => number[],
): Promise<{ found: Found; waiting: Set<number> }> {
  for (let searches = 1; ; searches++) {
    const before = await index.refresh()
    const found = await search()
    const ids = idsOf(found)
    if (ids.length === 0) return { found, waiting: new Set() }
    const { version, waiting } = await index.readWaiting(ids)
    if (version === before || searches === SEARCHES_MAX) return { found, waiting }
  }
}
