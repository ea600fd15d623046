import type { Category } from '#shared/limits.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'
import { type ReadWord, readWords, toAlternatives } from './read-words.ts'
import { searchAsIndexed } from './search-as-indexed.ts'
import type { AudienceIndex, Match, SearchIndex, Tier } from './search-engine.ts'
import { readQuery } from './search-terms.ts'
import type { QueryWord } from './text/words.ts'

const RESULTS_MAX = 1000
/** With fewer matches, far more frequent words are tried. */
const FEW = 10

export type FindVideos = {
  q: string
  category: Category | undefined
  audience: Audience
  sort: SearchSort
  offset: number
  limit: number
}

export type FoundVideos = {
  ids: number[]
  /** Exact up to 1,000, and stops there. */
  total: number
}

/**
 * Each word must begin a word of the video or part of a name, else it is a typing mistake. Signs
 * must match too, unless no video has them with the words. By tier (whole words in the title,
 * prefixes there, names, any text), then by views. Omits videos that wait for indexing: an edit may
 * hide the match.
 */
export async function findVideos(whole: SearchIndex, input: FindVideos): Promise<FoundVideos> {
  const search = () => find(whole.of(input.audience), input)
  const { found, waiting } = await searchAsIndexed(whole, search, ({ ids }) => ids)
  const ids = found.ids.filter((id) => !waiting.has(id))
  return { ids, total: found.total - waiting.size }
}

async function find(index: AudienceIndex, input: FindVideos): Promise<FoundVideos> {
  const { words, signs } = readQuery(input.q)
  if (!index.isAllowed()) return { ids: [], total: 0 }
  if (words.length + signs.length === 0) return { ids: [], total: 0 }
  const found = await findTiers(index, { ...input, words, signs })
  if (found.total > 0 || words.length === 0 || signs.length === 0) return found
  return findTiers(index, { ...input, words, signs: [] })
}

type Wanted = FindVideos & { words: QueryWord[]; signs: string[] }

async function findTiers(index: AudienceIndex, wanted: Wanted): Promise<FoundVideos> {
  const { words, signs, category, sort, offset, limit } = wanted
  const read = await readWords(index, words)
  const end = Math.min(offset + limit, RESULTS_MAX)
  const about = read.length > 0 ? Math.min(...read.map(({ videoCount }) => videoCount)) : 0
  const limits = { limit: end, about }
  const { exact, wide } = listTiers(index, { words: read, signs, category })
  const all = exact.at(-1) ?? ''
  const few = sort === 'relevance' ? await index.rankTiers(exact, limits) : undefined
  const isEnough = !wide || (few?.total ?? (await index.count(all, FEW))) >= FEW
  if (few && isEnough) return { ids: few.ids.slice(offset), total: few.total }
  const widest = isEnough ? all : wide
  if (sort !== 'relevance') {
    const ids = await index.rank(widest, { ...limits, order: sort })
    const total = ids.length < end ? ids.length : await index.count(widest, RESULTS_MAX)
    return { ids: ids.slice(offset), total }
  }
  const ids = new Set(few?.ids)
  const tiers = few ? [widest] : [...new Set([...exact, widest])]
  for (const query of tiers) {
    // Each tier contains the one before.
    const wanted = { ...limits, order: 'views', beyond: ids.size } as const
    for (const id of await index.rank(query, wanted)) ids.add(id)
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
 * From narrow to wide, the last only if those find few. The last exact one also splits known words
 * in two.
 */
function listTiers(
  index: AudienceIndex,
  { words: read, signs, category }: Pick<Wanted, 'signs' | 'category'> & { words: ReadWord[] },
): { exact: string[]; wide: string | undefined } {
  const match = (alternatives: string[][], tier: Tier, whole = false): Match => ({
    alternatives,
    signs,
    category,
    tier,
    whole,
  })
  const readings = toAlternatives(read)
  const isSplit = read.some(({ split }) => split !== undefined)
  const splits = isSplit ? [match(toAlternatives(read, { withSplits: true }), 'names', true)] : []
  const exact = [
    [match(readings, 'title', true)],
    [match(readings, 'title')],
    [match(readings, 'names')],
    [match(readings, 'text')],
    [match(readings, 'text'), ...splits],
  ].map((matches) => index.query(...matches))
  const isClear = read.every((word) => word.likelier.length === 0)
  const all = match(toAlternatives(read, { withLikelier: true }), 'text')
  return {
    exact: [...new Set(exact)],
    wide: isClear ? undefined : index.query(all, ...splits),
  }
}
