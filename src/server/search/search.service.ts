import type { Search, Suggestion } from '#shared/search.schemas.ts'
import type { Video } from '#shared/video.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { type Database, followChanges } from '../db/database.ts'
import { createKept } from '../db/kept.ts'
import { ALL_COUNTS } from '../db/statement-reads.ts'
import { AppError } from '../errors.ts'
import { readyPage } from '../ready-answer.ts'
import { writeVideosById } from '../video/ready-video.ts'
import type { FoundVideos } from './find-videos.ts'
import type { Searcher } from './searcher.ts'

export type SearchDeps = { db: Database; searcher: Searcher }

/** What the thread reads; its full-text indexes change with these. */
const SEARCHED = [
  ...['videos', ALL_COUNTS, 'videoTags', 'users', 'channelRenames', 'siteSettings'],
  ...['searchTerms', 'searchState'],
]

const FOUND_BYTES_MAX = 4 * 1024 * 1024
const SUGGESTED_BYTES_MAX = 2 * 1024 * 1024
const SUGGESTION_BYTES = 150

type Store = ReturnType<typeof createStore>
const stores = new WeakMap<Database, Store>()

/** What the thread answered, until anything of it changes. */
function storeOf(db: Database): Store {
  const store = stores.get(db) ?? createStore(db)
  stores.set(db, store)
  return store
}

function createStore(db: Database) {
  const changes = followChanges(db)
  return {
    changes,
    found: createKept<FoundVideos>(changes, {
      bytesMax: FOUND_BYTES_MAX,
      bytesOf: ({ ids }) => ids.length * 8,
    }),
    suggested: createKept<Suggestion[]>(changes, {
      bytesMax: SUGGESTED_BYTES_MAX,
      bytesOf: (suggestions) => suggestions.length * SUGGESTION_BYTES,
    }),
  }
}

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
  const { changes, found } = storeOf(deps.db)
  const wanted = { q, category, sort, offset, limit }
  const { ids, total } = await found.read(JSON.stringify(wanted), () => {
    changes.noteParts(SEARCHED)
    return deps.searcher.findVideos(wanted)
  })
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
  const { changes, suggested } = storeOf(db)
  return suggested.read(q, () => {
    changes.noteParts(SEARCHED)
    return searcher.findSuggestions(q)
  })
}

function readOffset(cursor: string | null | undefined): number {
  if (!cursor) return 0
  if (!/^[1-9]\d{0,3}$/.test(cursor)) {
    throw new AppError('invalid', 'The cursor is not one this site gave.')
  }
  return Number(cursor)
}
