import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '#server/platform/request/client-address.ts'
import { readSessionCookie } from '#server/platform/request/credentials.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'
import { ADMIN_SECTIONS } from '#shared/admin-sections.ts'
import { escapeMarkup } from '#shared/embed-code.ts'
import { PAGE_DATA_ID } from '#shared/page-data.ts'
import { CARD_SIZES, playerPosterOf, posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { renderLinkHead } from '../discovery/share-link/share-link-head.ts'
import { registerEmbedPage } from '../discovery/sharing/embed.routes.ts'
import { jsonForScript } from '../discovery/sharing/head-tags.ts'
import {
  existsForViewer,
  type PageSubject,
  renderPageHead,
  renderPlainHead,
} from '../discovery/sharing/page-head.ts'
import { FIRST_CARDS, type Skeleton, withSkeleton } from '../discovery/sharing/page-skeleton.ts'
import { readPageTemplate } from '../discovery/sharing/page-template.ts'
import { createContext } from '../platform/context.ts'
import type { AppDeps } from '../platform/deps.ts'
import { MANIFEST_FILE, registerManifest } from '../platform/http/answer/manifest.routes.ts'
import { readPageLinks } from '../platform/http/answer/page-files.ts'
import { createPageSender } from '../platform/http/answer/page-sender.ts'
import {
  registerServiceWorker,
  SERVICE_WORKER_FILE,
} from '../platform/http/answer/service-worker.routes.ts'
import { findSiteSettings } from '../platform/site/site.queries.ts'
import type { PageData, readPageData } from './page-data.ts'

/** Sent for the names of the files that they stand for. */
const COMPRESSED = ['**/*.br', '**/*.gz']

/** Their content depends on the settings of the site. */
const NAMED_BY_SITE = [MANIFEST_FILE, SERVICE_WORKER_FILE]

/** With the general HTML; unknown addresses get it with status 404. */
const PLAIN_PAGES = [
  '/history',
  '/notifications',
  '/subscriptions',
  '/upload',
  '/upload-chunked',
  '/studio',
  '/studio/cut/:id',
  '/studio/moments/:id',
  '/library',
  '/squads',
  '/squad/:id',
  '/squad-view/:id',
  '/playlist/watch-later',
  '/playlist/liked',
  '/settings',
  '/about',
]

/** The address may contain a secret: only the origin is the referrer. */
const SECRET_PAGES = ['/auth', '/link', '/reset', '/room/:token', '/unsubscribe', '/verify']

const LINK_HEADERS = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

const ADMIN_PAGES = ['/admin', '/admin/:section']
const SECTION_NAMES = new Set<string>(ADMIN_SECTIONS)

type SharedRequest = FastifyRequest<{
  Params: { id?: string }
  Querystring: { q?: unknown; category?: unknown; tab?: unknown; t?: unknown }
}>

/** Below `src/client`; the home page is in the main bundle. */
const COMPONENTS: Partial<Record<PageSubject['kind'], string>> = {
  search: 'routes/browse/search-page.tsx',
  video: 'routes/watch/watch-page.tsx',
  clip: 'routes/watch/clip-page.tsx',
  channel: 'routes/browse/profile-page.tsx',
  playlist: 'routes/browse/playlist-page.tsx',
}

const STREAM = 'watch/player/source/hls-stream.ts'
/** Files above play as a stream, except on fast connections; bits per second. */
const HEAVY_BIT_RATE = 12_000_000

const SHARED_PAGES: Record<string, (request: SharedRequest) => PageSubject> = {
  '/': () => ({ kind: 'home' }),
  '/search': ({ query }) => ({ kind: 'search', query: typeof query.q === 'string' ? query.q : '' }),
  '/video/:id': ({ params }) => ({ kind: 'video', id: params.id ?? '' }),
  '/clip/:id': ({ params }) => ({ kind: 'clip', id: params.id ?? '' }),
  '/profile/:id': ({ params }) => ({ kind: 'channel', id: params.id ?? '' }),
  '/playlist/:id': ({ params }) => ({ kind: 'playlist', id: params.id ?? '' }),
}

/**
 * Hashed assets never change; pages are revalidated.
 * @param input.readData for visitors
 */
export async function registerClientFiles(
  app: FastifyInstance,
  input: { deps: AppDeps; clientFolder: string; readData: typeof readPageData },
): Promise<(reply: FastifyReply, status: number) => Promise<FastifyReply>> {
  const { deps, clientFolder, readData } = input
  const template = await readPageTemplate(join(clientFolder, 'index.html'))
  const page = { before: template.before, after: withStylesLast(template.after) }
  const links = await readPageLinks(clientFolder, [...Object.values(COMPONENTS), STREAM])
  const linksOf = (kind: PageSubject['kind']) => links.get(COMPONENTS[kind] ?? '') ?? ''
  /** The player's code for streams, and the playlist. */
  const preloadStream = (url: string) =>
    `${links.get(STREAM)}<link rel="preload" as="fetch" crossorigin href="${escapeMarkup(url)}">`
  const send = createPageSender(page.before + page.after)
  const sendPlain = async (reply: FastifyReply, kind?: Skeleton) => {
    const links = kind && kind !== 'plain' ? linksOf(kind) : ''
    const rest = kind ? withSkeleton(page.after, { kind }) : page.after
    return send(reply, page.before + (await renderPlainHead(deps.db)) + withHeadEnd(rest, links))
  }
  const sendPage = (reply: FastifyReply, status: number) =>
    sendPlain(reply.code(status).header('cache-control', 'no-cache'), 'plain')

  await app.register(fastifyStatic, {
    root: clientFolder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: [...COMPRESSED, 'assets/**', 'index.html', 'embed.html', '.*', ...NAMED_BY_SITE],
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${join(clientFolder, 'assets')}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  await registerAssets(app, join(clientFolder, 'assets'))
  await registerManifest(app, { deps, clientFolder })
  await registerServiceWorker(app, { deps, clientFolder })
  await registerEmbedPage(app, { deps, clientFolder })
  for (const path of PLAIN_PAGES) app.get(path, (_, reply) => sendPage(reply, 200))
  for (const path of SECRET_PAGES) {
    app.get(path, (_, reply) =>
      sendPlain(reply.headers({ 'referrer-policy': 'strict-origin', 'cache-control': 'no-cache' })),
    )
  }
  app.get<{ Params: { token: string } }>('/s/:token', async (request, reply) => {
    const origin = siteOrigin(request, deps.config)
    const { head, works } = await renderLinkHead(deps.db, { ...request.params, origin })
    if (!works) await deps.limits.deadLinks.count(clientNetwork(request))
    reply.code(works ? 200 : 404).headers(LINK_HEADERS)
    return send(reply, page.before + head + page.after)
  })
  app.get('/rules', async (_, reply) => {
    const { rules } = await findSiteSettings(deps.db)
    return sendPage(reply, rules === '' ? 404 : 200)
  })
  for (const kind of ['explore', 'clips'] as const) {
    app.get(`/${kind}`, async (request, reply) => {
      const head = await renderPageHead(deps.db, { kind }, siteOrigin(request, deps.config))
      const rest = withSkeleton(page.after, { kind: 'plain' })
      return send(reply.header('cache-control', 'no-cache'), page.before + head + rest)
    })
  }
  for (const path of ADMIN_PAGES) {
    app.get<{ Params: { section?: string } }>(path, async (request, reply) => {
      const { viewer } = await createContext(deps, { req: request, res: reply })
      const { section } = request.params
      const isThere = section === undefined || SECTION_NAMES.has(section)
      return sendPage(reply, viewer?.isAdmin && isThere ? 200 : 404)
    })
  }

  for (const [path, subjectOf] of Object.entries(SHARED_PAGES)) {
    app.get(path, async (shared, reply) => {
      const request = shared as SharedRequest
      const subject = subjectOf(request)
      const { kind } = subject
      const context = await createContext(deps, { req: request, res: reply })
      const head = await renderPageHead(deps.db, subject, siteOrigin(request, deps.config))
      if (head === null) {
        const isThere = await existsForViewer(deps.db, { subject, viewer: context.viewer })
        if (!isThere) return sendPage(reply, 404)
        return sendPlain(reply.header('cache-control', 'private, no-store'), kind)
      }
      // Loaded by the app, as members' data is.
      const isFiltered = kind === 'home' && request.query.category !== undefined
      const hasData = !isFiltered && !readSessionCookie(request, deps.config)
      const isVideo = kind === 'video' || kind === 'clip'
      const data = hasData || isVideo ? await readData(context, subject) : undefined
      const video = isVideo ? data?.videos[0] : undefined
      const isHeavy = (data?.bitRate ?? 0) > HEAVY_BIT_RATE
      const beginsAtOnce = beginsNow(request)
      const fileUrl = beginsAtOnce && !isHeavy ? fileOf(video, data?.clip) : undefined
      const stream = beginsAtOnce && isHeavy && video?.hlsUrl ? preloadStream(video.hlsUrl) : ''
      const videos = kind === 'home' ? data?.videos : undefined
      const rest = withSkeleton(page.after, {
        ...{ kind, videos, fileUrl, ...homeOf(data) },
        posterUrl: data?.clip?.pictureUrl ?? (video && playerPosterOf(video)),
      })
      // Other tabs of a channel have no videos.
      const hasPictures = !isVideo && kind !== 'home' && request.query.tab === undefined
      const pictures = data && hasPictures ? preloadPictures(data.videos) : ''
      const end = data && hasData ? dataElement(data) : ''
      reply.headers({ 'cache-control': 'no-cache', vary: 'cookie' })
      const links = pictures + linksOf(kind) + stream
      return send(reply, page.before + head + withHeadEnd(withEnd(rest, end), links))
    })
  }
  return sendPage
}

/** Without data the page shows empty boxes. */
const homeOf = (data: PageData | undefined) =>
  data && { tonight: data.tonight, welcome: data.welcome }

/** With the place where a clip begins (https://www.w3.org/TR/media-frags/). */
function fileOf(video: Video | undefined, clip: PageData['clip']): string | null | undefined {
  if (!video?.videoUrl || !clip) return video?.videoUrl
  return `${video.videoUrl}#t=${clip.startSeconds}`
}

/** From its first second, and without a wish to load less. */
const beginsNow = ({ query, headers }: SharedRequest) =>
  query.t === undefined && headers['save-data'] !== 'on'

/** One route for some 400 files: each route takes memory (docs/decisions/0069-memory-and-the-first-start.md). */
async function registerAssets(app: FastifyInstance, folder: string): Promise<void> {
  const names = new Set(await Array.fromAsync(glob('*', { cwd: folder, exclude: COMPRESSED })))
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const { name } = request.params
    return names.has(name) ? reply.sendFile(name, folder) : reply.callNotFound()
  })
}

const STYLES = /\s*<link rel="stylesheet"[^>]*>/g

const APP = '<script type="module"'

/** The skeleton is painted before they have arrived. Scripts wait for them. */
function withStylesLast(page: string): string {
  const styles = page.match(STYLES)?.join('') ?? ''
  if (styles && !page.includes(APP)) throw new Error('The built page has other tags than expected.')
  return withEnd(page.replaceAll(STYLES, ''), styles)
    .replace(APP, () => `${APP} fetchpriority="low"`)
    .replaceAll('<link rel="modulepreload"', (link) => `${link} fetchpriority="low"`)
}

const withHeadEnd = (page: string, end: string) => page.replace('</head>', () => `${end}</head>`)
const withEnd = (page: string, end: string) => page.replace('</body>', () => `${end}</body>`)

function preloadPictures(videos: Video[]): string {
  const links = videos.slice(0, FIRST_CARDS).map((video) => {
    const { src, srcSet } = posterOf(video)
    if (!src) return ''
    const set = srcSet && ` imagesrcset="${escapeMarkup(srcSet)}" imagesizes="${CARD_SIZES}"`
    return `<link rel="preload" as="image" fetchpriority="high" href="${escapeMarkup(src)}"${set ?? ''}>`
  })
  return links.join('')
}

const dataElement = ({ answers }: PageData) =>
  `<script type="application/json" id="${PAGE_DATA_ID}">${jsonForScript(answers)}</script>`
