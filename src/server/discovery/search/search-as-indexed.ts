import type { SearchIndex } from './search-engine.ts'

/** Heavy indexing may change it each time. */
const SEARCHES_MAX = 5

/**
 * Searches again when the index changes, to know which videos were waiting.
 * @param idsOf videos of an answer
 * @returns also those found by stale words
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
