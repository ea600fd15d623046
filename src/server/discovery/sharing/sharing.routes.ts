import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { registerCrawlerRoutes } from './crawler.routes.ts'
import { registerFeedRoutes } from './feed.routes.ts'
import { registerOembedRoute } from './oembed.routes.ts'
import { registerShortLinks } from './short-link.routes.ts'

/** Answers only what visitors may see. */
export async function registerSharingRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  await registerCrawlerRoutes(app, { deps })
  await registerFeedRoutes(app, { deps })
  await registerOembedRoute(app, { deps })
  await registerShortLinks(app)
}
