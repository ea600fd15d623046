import type { Search } from '#shared/search.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { listVideosById } from '../video/video.queries.ts'
import {
  hasMatch,
  hasWordLike,
  listBestMatches,
  listKnownWords,
  listNewestMatches,
  listTitlesContaining,
  sortVideoIds,
} from './search.queries.ts'
import { matchExpression, splitWords, typoNeighbours } from './search-terms.ts'

const RESULTS_MAX = 1000
/** Up to so many matches are ranked by how well they fit; of more, the newest are taken. */
const RANKED_MAX = 1500
const TYPO_LENGTH_MIN = 4
const TYPO_ALTERNATIVES = 3
const ALL_COLUMNS = 'title tags description channel'

/**
 * Finds videos by title, tags, description and channel. Each word of the query must begin a word of
 * the video; a word that begins none is taken for a typing mistake. Work is bounded: only the newest
 * matches are looked at when there are very many.
 * @throws AppError `invalid` for a cursor that is not ours
 */
export async function searchVideos(db: Database, input: Search & { viewer: Viewer | undefined }) {
  const ids = await listMatches(db, input)
  const offset = readOffset(input.cursor)
  const shown = ids.slice(offset, offset + input.limit)
  const next = offset + shown.length
  return {
    items: await listVideosById(db, { ids: shown, viewer: input.viewer }),
    nextCursor: next < ids.length ? String(next) : null,
    total: ids.length,
  }
}

async function listMatches(db: Database, input: Search): Promise<number[]> {
  const { category, sort } = input
  const words = splitWords(input.q)
  if (words.length === 0) {
    const ids = await listTitlesContaining(db, { text: input.q, category, limit: RESULTS_MAX })
    return sort === 'relevance' ? ids : sortVideoIds(db, { ids, sort })
  }
  const alternatives: string[][] = []
  for (const word of words) {
    const known = await listAlternatives(db, word)
    if (known.length === 0) return []
    alternatives.push(known)
  }
  const found = (columns: string, limit: number) => ({
    match: matchExpression(alternatives, columns),
    category,
    limit,
  })
  const newest = await listNewestMatches(db, found(ALL_COLUMNS, RANKED_MAX + 1))
  if (sort !== 'relevance') {
    return (await sortVideoIds(db, { ids: newest, sort })).slice(0, RESULTS_MAX)
  }
  // Those with all words in the title come first; of very many, the newest instead of the best.
  const few = newest.length <= RANKED_MAX
  const list = few ? listBestMatches : listNewestMatches
  const titles = await list(db, found('title', RESULTS_MAX))
  const rest = few ? await listBestMatches(db, found(ALL_COLUMNS, RESULTS_MAX)) : newest
  return [...new Set([...titles, ...rest])].slice(0, RESULTS_MAX)
}

async function listAlternatives(db: Database, word: string): Promise<string[]> {
  if (await hasWordLike(db, word)) return [word]
  if (await hasMatch(db, matchExpression([[word]], ALL_COLUMNS))) return [word]
  if (word.length < TYPO_LENGTH_MIN) return []
  const known = await listKnownWords(db, typoNeighbours(word))
  return known.slice(0, TYPO_ALTERNATIVES)
}

function readOffset(cursor: string | null | undefined): number {
  if (!cursor) return 0
  if (!/^[1-9]\d{0,3}$/.test(cursor)) {
    throw new AppError('invalid', 'The cursor is not one this site gave.')
  }
  return Number(cursor)
}
