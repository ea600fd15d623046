import type { Database } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import { type ReadWord, readWords, toAlternatives } from './read-words.ts'
import { type FoundChannel, listChannelsLike } from './search.queries.ts'
import type { SearchIndex } from './search-engine.ts'
import { queryWords } from './text/words.ts'

export type FindChannels = { q: string; audience: Audience; limit: number }

/** Corrects typing like `findVideos`. */
export async function findChannels(
  { index: whole, db }: { index: SearchIndex; db: Database },
  { q, audience, limit }: FindChannels,
): Promise<FoundChannel[]> {
  const words = queryWords(q)
  if (words.length === 0) return []
  await whole.refresh()
  const index = whole.of(audience)
  if (!index.isAllowed()) return []
  return listChannelsMeant(db, { words: await readWords(index, words), audience, limit })
}

export function listChannelsMeant(
  db: Database,
  { words, audience, limit }: { words: ReadWord[]; audience: Audience; limit: number },
): Promise<FoundChannel[]> {
  // Names are few: all corrections are tried, as the most frequent may occur in titles only.
  const options = {
    withLikelier: true,
    withSplits: true,
    correctionsMax: Number.POSITIVE_INFINITY,
  }
  return listChannelsLike(db, { alternatives: toAlternatives(words, options), audience, limit })
}
