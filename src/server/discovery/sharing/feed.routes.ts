import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ChangeTimes, createChangeTimes } from '#server/platform/cluster/change-times.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'
import { readChannelFeed, readGameFeed, readSearchFeed, readSiteFeed } from './feed.service.ts'
import { parseId } from './page-head.ts'
import { type Feed, renderFeed } from './rss-feed.ts'

type FeedRequest = FastifyRequest<{
  Params: { id?: string; category?: string }
  Querystring: { q?: unknown }
}>

/** As visitors see the site, also for members. */
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
  const changes = createChangeTimes(db)
  for (const [path, read] of Object.entries(feeds)) {
    app.get(path, async (request, reply) => {
      const origin = siteOrigin(request, deps.config)
      const feed = await read(request as FeedRequest)
      return sendFeed(reply, {
        body: renderFeed(feed, origin),
        key: origin + feed.selfPath,
        changes,
      })
    })
  }
}

function sendFeed(reply: FastifyReply, feed: { body: string; key: string; changes: ChangeTimes }) {
  const hash = createHash('sha256').update(feed.body).digest('base64url').slice(0, 22)
  const since = feed.changes.since(feed.key, hash)
  if (since) void reply.header('last-modified', since.toUTCString())
  return reply
    .header('etag', `"${hash}"`)
    .header('cache-control', 'no-cache')
    .header('access-control-allow-origin', '*')
    .type('application/rss+xml; charset=utf-8')
    .send(feed.body)
}

function requireId(text: string): number {
  const id = parseId(text)
  if (id === undefined) throw new AppError('not-found', 'There is no such channel.')
  return id
}
