import type { Database } from '#server/platform/db/database.ts'
import { invalidCursor } from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { audienceOf } from '#server/video/video/video.access.ts'
import { listVideosById } from '#server/video/video/video.queries.ts'
import { MAX_SUGGESTIONS } from '#shared/limits.ts'
import type { Search, SearchSort, Suggestion } from '#shared/schemas/search.schemas.ts'
import { listFoundUsers } from './search.queries.ts'
import type { Searcher } from './searcher.ts'
import { listSortable, listSquadMatches, type Sortable } from './squad-matches.queries.ts'

/** The same as `RESULTS_MAX` of the index. */
const TOTAL_MAX = 1000
const SUGGESTED_OF_SQUADS = 2

export type SearchDeps = { db: Database; searcher: Searcher }

/** @throws `invalid` for a foreign cursor, `busy` when too many search at once */
export async function searchVideos(
  { db, searcher }: SearchDeps,
  input: Search & { viewer: Viewer | undefined },
) {
  const { q, category, sort, limit, viewer } = input
  const offset = readOffset(input.cursor)
  const own = viewer ? await listSquadMatches(db, { q, category, viewer }) : []
  // Each match of the squads may move results of the index to a later page.
  const begin = Math.max(0, offset - own.length)
  const { ids: others, total: found } = await searcher.findVideos({
    ...{ q, category, sort, offset: begin, limit: offset - begin + limit },
    audience: audienceOf(viewer),
  })
  const merged = own.length > 0 ? await mergeMatches(db, { own, others, sort }) : others
  const ids = merged.slice(offset - begin, offset - begin + limit)
  const total = Math.min(found + own.length, Math.max(found, TOTAL_MAX))
  const next = offset + ids.length
  const items = await listVideosById(db, { ids, viewer })
  const nextCursor = ids.length > 0 && next < total ? String(next) : null
  return { items, nextCursor, total }
}

/**
 * By relevance, matches of the squads come before those of the index. `others` begins at `begin`.
 * @returns ids, of which the page begins at `offset - begin`
 */
async function mergeMatches(
  db: Database,
  input: { own: Sortable[]; others: number[]; sort: SearchSort },
): Promise<number[]> {
  const { own, others, sort } = input
  if (sort === 'relevance') {
    return [...new Set([...own.map(({ id }) => id), ...others])]
  }
  const keyOf = ({ viewCount, publishedAt }: Sortable) =>
    sort === 'views' ? viewCount : Date.parse(publishedAt)
  const all = [...own, ...(await listSortable(db, others))]
  return all.toSorted((a, b) => keyOf(b) - keyOf(a) || b.id - a.id).map(({ id }) => id)
}

/** @throws `busy` when too many search at once */
export async function searchChannels(
  { db, searcher }: SearchDeps,
  { q, limit, viewer }: { q: string; limit: number; viewer: Viewer | undefined },
) {
  const found = await searcher.findChannels({ q, limit, audience: audienceOf(viewer) })
  return listFoundUsers(db, { found, viewer })
}

/** @throws `busy` when too many search at once */
export async function suggest(
  { db, searcher }: SearchDeps,
  { q, viewer }: { q: string; viewer: Viewer | undefined },
): Promise<Suggestion[]> {
  const found = await searcher.findSuggestions({ q, audience: audienceOf(viewer) })
  const own = viewer ? await listSquadMatches(db, { q, viewer }) : []
  const titles = own.slice(0, SUGGESTED_OF_SQUADS).map(({ id, title }) => ({
    ...{ kind: 'video' as const, id, text: title },
  }))
  return [...found.slice(0, MAX_SUGGESTIONS - titles.length), ...titles]
}

function readOffset(cursor: string | null | undefined): number {
  if (!cursor) return 0
  if (!/^[1-9]\d{0,3}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}
