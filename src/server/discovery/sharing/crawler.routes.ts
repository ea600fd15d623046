import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'
import { siteIsOpen } from '#server/platform/site/site.queries.ts'
import { countListedPages, renderListedPages } from './sitemap.queries.ts'
import { element, escapeXml, textElement, xmlDocument } from './xml.ts'

/** https://www.sitemaps.org/protocol.html */
const ADDRESSES_PER_FILE = 50_000
const NAMESPACE = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }
const OPEN_PAGES = ['/', '/explore']

/** Embedded players forbid indexing themselves. */
const CLOSED_PATHS = [
  '/api/',
  '/trpc/',
  '/feeds/search.xml',
  '/admin',
  '/auth',
  '/history',
  '/library',
  '/notifications',
  '/room/',
  '/search',
  '/settings',
  '/squad',
  '/studio',
  '/subscriptions',
  '/upload',
]

/** As visitors see the site, also for members. */
export async function registerCrawlerRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const { db, config } = deps
  app.get('/robots.txt', (request, reply) => {
    const closed = CLOSED_PATHS.map((path) => `Disallow: ${path}`)
    const sitemap = `Sitemap: ${siteOrigin(request, config)}/sitemap.xml`
    const text = ['User-agent: *', ...closed, '', sitemap, ''].join('\n')
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(text)
  })
  app.get('/sitemap.xml', async (request, reply) =>
    sendXml(reply, await renderSitemap(db, siteOrigin(request, config))),
  )
  app.get('/sitemap-:number.xml', async (request, reply) => {
    const origin = siteOrigin(request, config)
    const { number } = request.params as { number: string }
    const page = /^[1-9]\d{0,4}$/.test(number) ? Number(number) : 0
    return sendXml(reply, page === 0 ? null : await renderSitemapPage(db, { origin, page }))
  })
}

function sendXml(reply: FastifyReply, sitemap: string | null) {
  if (sitemap === null) throw new AppError('not-found', 'There is no such sitemap.')
  return reply.type('application/xml; charset=utf-8').send(sitemap)
}

async function renderSitemap(db: Database, origin: string): Promise<string> {
  const fileCount = Math.ceil(
    (OPEN_PAGES.length + (await countListedPages(db))) / ADDRESSES_PER_FILE,
  )
  if (fileCount <= 1) return (await renderSitemapPage(db, { origin, page: 1 })) ?? ''
  const files = Array.from({ length: fileCount }, (_, index) =>
    element('sitemap', {}, [textElement('loc', `${origin}/sitemap-${index + 1}.xml`)]),
  )
  return xmlDocument(element('sitemapindex', NAMESPACE, files))
}

/** @returns null for an empty page */
async function renderSitemapPage(
  db: Database,
  { origin, page }: { origin: string; page: number },
): Promise<string | null> {
  const isFirst = page === 1
  const open = isFirst && (await siteIsOpen(db)) ? OPEN_PAGES : []
  const listed = await renderListedPages(db, {
    origin: escapeXml(origin),
    limit: ADDRESSES_PER_FILE - open.length,
    offset: isFirst ? 0 : (page - 1) * ADDRESSES_PER_FILE - OPEN_PAGES.length,
  })
  if (!isFirst && !listed) return null
  const urls = open.map((path) => element('url', {}, [textElement('loc', origin + path)]))
  return xmlDocument(element('urlset', NAMESPACE, [...urls, listed]))
}
