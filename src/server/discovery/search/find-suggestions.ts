import type { Database } from '#server/platform/db/database.ts'
import { foldText } from '#server/platform/db/words.ts'
import { listAllCategories } from '#server/platform/site/site.queries.ts'
import { MAX_SUGGESTIONS } from '#shared/limits.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { Suggestion } from '#shared/schemas/search.schemas.ts'
import { listChannelsMeant } from './find-channels.ts'
import { type ReadWord, readWords, toAlternatives } from './read-words.ts'
import { listTagsLike, listTitlesById } from './search.queries.ts'
import { searchAsIndexed } from './search-as-indexed.ts'
import type { AudienceIndex, Match, SearchIndex } from './search-engine.ts'
import { indexWords, type QueryWord, queryWords, toPlainName } from './text/words.ts'

const EACH_MAX = 2
/** Bounds a short prefix. */
const NEWEST_MAX = 100
/** Several videos may share a title. */
const TITLES_READ_MAX = 3 * MAX_SUGGESTIONS

type Source = { index: AudienceIndex; db: Database }

export type FindSuggestions = { q: string; audience: Audience }

/** At most 8. No channels with only anonymous videos. */
export async function findSuggestions(
  { index: whole, db }: { index: SearchIndex; db: Database },
  { q, audience }: FindSuggestions,
): Promise<Suggestion[]> {
  const words = queryWords(q)
  if (words.length === 0) return []
  const search = async () => {
    const source = { index: whole.of(audience), db }
    if (!source.index.isAllowed()) return []
    const games = findGames(await listAllCategories(db), { words, q })
    // Depends on the viewer: not cached.
    const tags = await listTags(source, q)
    const read = await readWords(source.index, words)
    const channels = await listChannels(source, read)
    const titles = await listTitles(source, read)
    return [...games, ...tags, ...channels, ...titles].slice(0, MAX_SUGGESTIONS)
  }
  const idOf = (suggestion: Suggestion) => (suggestion.kind === 'video' ? suggestion.id : [])
  const { found, waiting } = await searchAsIndexed(whole, search, (all) => all.flatMap(idOf))
  return found.filter((suggestion) => suggestion.kind !== 'video' || !waiting.has(suggestion.id))
}

function findGames(
  categories: string[],
  { words, q }: { words: QueryWord[]; q: string },
): Suggestion[] {
  const games = categories.filter((name) => {
    if (toPlainName(name).startsWith(toPlainName(q))) return true
    const parts = indexWords(name)
    return words.every(({ word, joined }) =>
      [word, ...joined].some((begin) => parts.some((part) => part.startsWith(begin))),
    )
  })
  return games.slice(0, EACH_MAX).map((text) => ({ kind: 'game', text }))
}

async function listTags({ index, db }: Source, q: string): Promise<Suggestion[]> {
  const tags = await listTagsLike(db, {
    begin: toPlainName(q),
    limit: EACH_MAX,
    audience: index.audience,
  })
  return tags.map((text) => ({ kind: 'tag', text }))
}

async function listChannels({ index, db }: Source, words: ReadWord[]): Promise<Suggestion[]> {
  const channels = await listChannelsMeant(db, { words, limit: EACH_MAX, audience: index.audience })
  return channels.map(({ id, displayName }) => ({ kind: 'channel', id, text: displayName }))
}

/** Most viewed first, each once. */
async function listTitles({ index, db }: Source, words: ReadWord[]): Promise<Suggestion[]> {
  const match = (alternatives: string[][], whole: boolean): Match => ({
    alternatives,
    signs: [],
    category: undefined,
    tier: 'title',
    whole,
  })
  const splits = words.some(({ split }) => split)
    ? [match(toAlternatives(words, { withSplits: true }), true)]
    : []
  const query = index.query(match(toAlternatives(words), false), ...splits)
  const ids = await index.readThrough(
    `newest ${query}`,
    () => index.candidates(query, NEWEST_MAX),
    (found) => found.length * 8,
  )
  const viewed = await index.rankIds(ids, { order: 'views', limit: TITLES_READ_MAX })
  const titles = new Map<string, Suggestion>()
  for (const { id, title } of await listTitlesById(db, { ids: viewed, audience: index.audience })) {
    const same = foldText(title)
    if (!titles.has(same)) titles.set(same, { kind: 'video', id, text: title })
  }
  return [...titles.values()]
}
