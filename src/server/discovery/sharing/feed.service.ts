import { requireUser } from '#server/account/user/user.service.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings, listAllCategories } from '#server/platform/site/site.queries.ts'
import { listVideosOfUser } from '#server/video/video/user-videos.queries.ts'
import { listVideos } from '#server/video/video/video-lists.queries.ts'
import { SEARCH_QUERY_MAX } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { type SearchDeps, searchVideos } from '../search/search.service.ts'
import type { Feed } from './rss-feed.ts'
import { listSharedVideos } from './sharing.queries.ts'

const ITEMS = 50
/** Feeds are public. */
const viewer = undefined
const page = { limit: ITEMS, viewer }

export async function readSiteFeed(db: Database): Promise<Feed> {
  const { name } = await findSiteSettings(db)
  return toFeed(db, await listVideos(db, page), {
    title: name,
    description: `The newest videos on ${name}`,
    pagePath: '/',
    selfPath: '/feeds/videos.xml',
  })
}

export async function readChannelFeed(db: Database, id: number): Promise<Feed> {
  const { displayName, bio } = await requireUser(db, { id, viewer })
  return toFeed(db, await listVideosOfUser(db, { ...page, id, state: 'all', sort: 'newest' }), {
    title: displayName,
    description: bio || `Videos by ${displayName}`,
    pagePath: `/profile/${id}`,
    selfPath: `/feeds/channel/${id}.xml`,
  })
}

export async function readGameFeed(db: Database, category: string): Promise<Feed> {
  if (!(await listAllCategories(db)).includes(category)) {
    throw new AppError('not-found', 'There is no such category.')
  }
  const { name } = await findSiteSettings(db)
  const address = encodeURIComponent(category)
  return toFeed(db, await listVideos(db, { ...page, category }), {
    title: `${category} · ${name}`,
    description: `The newest ${category} videos on ${name}`,
    pagePath: `/?category=${address}`,
    selfPath: `/feeds/game/${address}.xml`,
  })
}

/** @throws `invalid` for a blank or too long query */
export async function readSearchFeed(deps: SearchDeps, query: unknown): Promise<Feed> {
  const q = typeof query === 'string' ? query.trim() : ''
  if (!q || q.length > SEARCH_QUERY_MAX) {
    throw new AppError('invalid', `q must be 1 to ${SEARCH_QUERY_MAX} characters.`)
  }
  const { db } = deps
  const { name } = await findSiteSettings(db)
  const address = new URLSearchParams({ q }).toString()
  return toFeed(db, await searchVideos(deps, { ...page, q, sort: 'date' }), {
    title: `${q} · ${name}`,
    description: `Videos on ${name} that match "${q}"`,
    pagePath: `/search?${address}`,
    selfPath: `/feeds/search.xml?${address}`,
  })
}

async function toFeed(
  db: Database,
  { items }: { items: Video[] },
  about: Omit<Feed, 'videos'>,
): Promise<Feed> {
  const ids = items.map(({ id }) => id)
  return { ...about, videos: await listSharedVideos(db, ids) }
}
