import type { Search, Suggestion } from '#shared/search.schemas.ts'
import type { Video } from '#shared/video.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { type Database, followChanges } from '../db/database.ts'
import { ALL_COUNTS } from '../db/statement-reads.ts'
import { AppError } from '../errors.ts'
import { readyPage } from '../ready-answer.ts'
import { writeVideosById } from '../video/ready-video.ts'
import type { Searcher } from './searcher.ts'

export type SearchDeps = { db: Database; searcher: Searcher }

/** What the thread reads; its full-text indexes change with these. */
const SEARCHED = [
  ...['videos', ALL_COUNTS, 'videoTags', 'users', 'channelRenames', 'siteSettings'],
  ...['searchTerms', 'searchState'],
]

/**
 * Finds videos by title, tags, description and channel.
 * @throws AppError `invalid` for a cursor that is not ours, `busy` when too many search at once
 */
export async function searchVideos(
  deps: SearchDeps,
  input: Search & { viewer: Viewer | undefined },
) {
  const { q, category, sort, limit, viewer } = input
  const offset = readOffset(input.cursor)
  followChanges(deps.db).noteParts(SEARCHED)
  const { ids, total } = await deps.searcher.findVideos({ q, category, sort, offset, limit })
  const next = offset + ids.length
  const items = await writeVideosById(deps.db, { ids, viewer })
  const nextCursor = ids.length > 0 && next < total ? String(next) : null
  return readyPage<Video, { total: number }>({ items, nextCursor }, { total })
}

/**
 * What somebody who is still typing may mean.
 * @throws AppError `busy` when too many search at once
 */
export async function suggest({ db, searcher }: SearchDeps, q: string): Promise<Suggestion[]> {
  followChanges(db).noteParts(SEARCHED)
  return searcher.findSuggestions(q)
}

function readOffset(cursor: string | null | undefined): number {
  if (!cursor) return 0
  if (!/^[1-9]\d{0,3}$/.test(cursor)) {
    throw new AppError('invalid', 'The cursor is not one this site gave.')
  }
  return Number(cursor)
}
