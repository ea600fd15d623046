import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '../context.ts'
import { AppError } from '../errors.ts'
import { isFresh } from '../http/conditional-request.ts'
import { siteOrigin } from '../http/site-origin.ts'
import { readChannelFeed, readGameFeed, readSearchFeed, readSiteFeed } from './feed.service.ts'
import { parseId } from './page-head.ts'
import { createPublicCache } from './public-cache.ts'
import { type Feed, renderFeed } from './rss-feed.ts'

const REMEMBERED_MAX = 10_000

type FeedRequest = FastifyRequest<{
  Params: { id?: string; category?: string }
  Querystring: { q?: unknown }
}>

/** RSS of the site, a channel, a game and a search: what visitors may see, whoever asks. */
export async function registerFeedRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const { db } = deps
  const feeds: Record<string, (request: FeedRequest) => Promise<Feed>> = {
    '/feeds/videos.xml': () => readSiteFeed(db),
    '/feeds/channel/:id.xml': ({ params }) => readChannelFeed(db, requireId(params.id ?? '')),
    '/feeds/game/:category.xml': ({ params }) => readGameFeed(db, params.category ?? ''),
    '/feeds/search.xml': ({ query }) => readSearchFeed(deps, query.q),
  }
  const cache = createPublicCache(db)
  const changes = createChangeTimes()
  for (const [path, read] of Object.entries(feeds)) {
    app.get(path, async (request, reply) => {
      const origin = siteOrigin(request, deps.config)
      const key = `${origin}${request.url}`
      const body = await cache.read(key, async () =>
        renderFeed(await read(request as FeedRequest), origin),
      )
      return sendFeed(reply, { body: body ?? '', key, changes })
    })
  }
}

function sendFeed(
  reply: FastifyReply,
  feed: { body: string; key: string; changes: ReturnType<typeof createChangeTimes> },
) {
  const hash = createHash('sha256').update(feed.body).digest('base64url').slice(0, 22)
  const current = { etag: `"${hash}"`, modifiedAt: feed.changes.of(feed.key, hash) }
  reply
    .header('etag', current.etag)
    .header('last-modified', current.modifiedAt.toUTCString())
    .header('cache-control', 'no-cache')
    .header('access-control-allow-origin', '*')
  if (isFresh(reply.request, current)) return reply.code(304).send()
  return reply.type('application/rss+xml; charset=utf-8').send(feed.body)
}

/** Since when each feed reads as it does, as far as this process knows: rows do not say when they changed. */
function createChangeTimes() {
  const known = new Map<string, { hash: string; since: Date }>()
  return {
    of(key: string, hash: string): Date {
      const before = known.get(key)
      if (before?.hash === hash) return before.since
      if (known.size >= REMEMBERED_MAX) known.clear()
      const since = new Date()
      known.set(key, { hash, since })
      return since
    },
  }
}

function requireId(text: string): number {
  const id = parseId(text)
  if (id === undefined) throw new AppError('not-found', 'There is no such channel.')
  return id
}
