import type { Category } from '#shared/limits.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'
import { type ReadWord, readWords, toAlternatives } from './read-words.ts'
import { searchAsIndexed } from './search-as-indexed.ts'
import type { FoundIndex, Match, SearchIndex, Tier } from './search-engine.ts'
import { readQuery } from './search-terms.ts'
import type { QueryWord } from './text/words.ts'

/** Nobody reads further, and so far the total is exact. */
const RESULTS_MAX = 1000
/** When fewer match, words that far more videos have may be meant instead. */
const FEW = 10
/** The third, of all that have the words in title, tags or channel. */
const NAMES_TIER = 2

export type FindVideos = {
  q: string
  category: Category | undefined
  audience: Audience
  sort: SearchSort
  /** How many results to skip, and how many to give after them. */
  offset: number
  limit: number
}

export type FoundVideos = {
  ids: number[]
  /** Exact up to 1,000, and stops there. */
  total: number
}

/**
 * Finds videos by title, tags, description and channel, as far as they are for the audience. Each word of the query must begin a
 * word of the video, or be part of a name that is written with or without a space or mark in it; a word that begins none is taken
 * for a typing mistake, and one that begins very few perhaps. Signs must be in the video too, unless no video has them beside the words. By relevance
 * come first those with the whole words in the title, then with their beginnings in the title, in
 * title, tags or channel, anywhere; each in the order of views. A video whose change waits to be indexed is left out: the index
 * has the words, or the channel, that it may have been changed to hide.
 */
export async function findVideos(whole: SearchIndex, input: FindVideos): Promise<FoundVideos> {
  const search = () => find(whole.of(input.audience), input)
  const { found, waiting } = await searchAsIndexed(whole, search, ({ ids }) => ids)
  const ids = found.ids.filter((id) => !waiting.has(id))
  return { ids, total: found.total - waiting.size }
}

async function find(index: FoundIndex, input: FindVideos): Promise<FoundVideos> {
  const { words, signs } = readQuery(input.q)
  if (!index.isAllowed()) return { ids: [], total: 0 }
  if (words.length + signs.length === 0) return { ids: [], total: 0 }
  const found = await findTiers(index, { ...input, words, signs })
  if (found.total > 0 || words.length === 0 || signs.length === 0) return found
  return findTiers(index, { ...input, words, signs: [] })
}

type Wanted = FindVideos & { words: QueryWord[]; signs: string[] }

async function findTiers(index: FoundIndex, wanted: Wanted): Promise<FoundVideos> {
  const { words, signs, category, sort, offset, limit } = wanted
  const read = await readWords(index, words)
  const end = Math.min(offset + limit, RESULTS_MAX)
  const about = read.length > 0 ? Math.min(...read.map(({ videoCount }) => videoCount)) : 0
  const limits = { limit: end, about }
  const { exact, wide } = listTiers(index, { words: read, signs, category })
  const all = exact.at(-1) ?? ''
  const few = sort === 'relevance' ? await index.firstOfFew(exact, limits) : undefined
  const isEnough = !wide || (few?.total ?? (await index.count(all, FEW))) >= FEW
  if (few && isEnough) return { ids: few.ids.slice(offset), total: few.total }
  const widest = isEnough ? all : wide
  if (sort !== 'relevance') {
    const ids = await index.first(widest, { ...limits, order: sort })
    const total = ids.length < end ? ids.length : await index.count(widest, RESULTS_MAX)
    return { ids: ids.slice(offset), total }
  }
  const ids = new Set(few?.ids)
  const tiers = few ? [widest] : [...new Set([...exact, widest])]
  for (const [tier, query] of tiers.entries()) {
    // Each tier holds the one before: its first are enough to fill up with.
    const within = !few && tier < NAMES_TIER ? exact[NAMES_TIER] : undefined
    const wanted = { ...limits, order: 'views', beyond: ids.size, within } as const
    for (const id of await index.first(query, wanted)) ids.add(id)
    if (ids.size >= end) break
  }
  const found = [...ids].slice(offset, end)
  if (ids.size < end) return { ids: found, total: ids.size }
  const isAlone = read.length === 1 && signs.length === 0 && !category
  const atLeast = isAlone ? (read[0]?.most ?? 0) : 0
  const total = atLeast < RESULTS_MAX ? await index.count(widest, RESULTS_MAX) : RESULTS_MAX
  return { ids: found, total }
}

/**
 * Full-text queries, each finding all that the one before finds; the wide one only when those find few. The last exact one
 * also finds names with the two words that a word may be made of, whatever else it finds.
 */
function listTiers(
  index: FoundIndex,
  { words: read, signs, category }: Pick<Wanted, 'signs' | 'category'> & { words: ReadWord[] },
): { exact: string[]; wide: string | undefined } {
  const match = (alternatives: string[][], tier: Tier, whole = false): Match => ({
    alternatives,
    signs,
    category,
    tier,
    whole,
  })
  const meant = toAlternatives(read)
  const isSplit = read.some(({ split }) => split !== undefined)
  const splits = isSplit ? [match(toAlternatives(read, { withSplits: true }), 'names', true)] : []
  const exact = [
    [match(meant, 'title', true)],
    [match(meant, 'title')],
    [match(meant, 'names')],
    [match(meant, 'text')],
    [match(meant, 'text'), ...splits],
  ].map((matches) => index.toQuery(...matches))
  const isClear = read.every((word) => word.perhaps.length === 0)
  const all = match(toAlternatives(read, { withPerhaps: true }), 'text')
  return {
    exact: [...new Set(exact)],
    wide: isClear ? undefined : index.toQuery(all, ...splits),
  }
}
