import type { Database } from '#server/platform/db/database.ts'
import { invalidCursor } from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { audienceOf } from '#server/video/video/video.access.ts'
import { listVideosById } from '#server/video/video/video.queries.ts'
import type { Search, Suggestion } from '#shared/schemas/search.schemas.ts'
import { listFoundUsers } from './search.queries.ts'
import type { Searcher } from './searcher.ts'

export type SearchDeps = { db: Database; searcher: Searcher }

/** @throws `invalid` for a foreign cursor, `busy` when too many search at once */
export async function searchVideos(
  { db, searcher }: SearchDeps,
  input: Search & { viewer: Viewer | undefined },
) {
  const { q, category, sort, limit, viewer } = input
  const offset = readOffset(input.cursor)
  const { ids, total } = await searcher.findVideos({
    ...{ q, category, sort, offset, limit },
    audience: audienceOf(viewer),
  })
  const next = offset + ids.length
  const items = await listVideosById(db, { ids, viewer })
  const nextCursor = ids.length > 0 && next < total ? String(next) : null
  return { items, nextCursor, total }
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
  { searcher }: SearchDeps,
  { q, viewer }: { q: string; viewer: Viewer | undefined },
): Promise<Suggestion[]> {
  return searcher.findSuggestions({ q, audience: audienceOf(viewer) })
}

function readOffset(cursor: string | null | undefined): number {
  if (!cursor) return 0
  if (!/^[1-9]\d{0,3}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}
