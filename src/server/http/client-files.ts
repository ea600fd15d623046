import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSessionCookie } from '../auth/session-cookie.ts'
import { type AppDeps, createContext } from '../context.ts'
import { registerEmbedPage } from '../sharing/embed.routes.ts'
import { readFirstPage } from '../sharing/first-page.ts'
import {
  existsForViewer,
  type PageSubject,
  parseId,
  renderPageHead,
  renderPlainHead,
} from '../sharing/page-head.ts'
import { readPageTemplate } from '../sharing/page-template.ts'
import { createPublicCache } from '../sharing/public-cache.ts'
import { siteOrigin } from '../sharing/site-origin.ts'
import {
  findBeginScript,
  homeQuestionTag,
  readEarlyParts,
  watchQuestionLink,
} from './early-links.ts'
import { MANIFEST_FILE, registerManifest } from './manifest.routes.ts'

/** How long 'a minute ago' stays true. */
const MINUTE_MS = 60_000

/** The app's own addresses that nobody shares; any other answers the same page with status 404. */
const PLAIN_PAGES = [
  '/history',
  '/subscriptions',
  '/auth',
  '/upload',
  '/upload-chunked',
  '/studio',
  '/explore',
  '/library',
  '/playlist/watch-later',
  '/playlist/liked',
  '/settings',
  '/rules',
  '/reset/:token',
]

/** For others than admins there is nothing at these addresses. */
const ADMIN_PAGES = ['/admin', '/admin/:section']

type SharedRequest = FastifyRequest<{
  Params: { id?: string }
  Querystring: { q?: unknown; category?: unknown }
}>

/** The pages whose head says to crawlers what they are about. */
const SHARED_PAGES: Record<string, (request: SharedRequest) => PageSubject> = {
  '/': () => ({ kind: 'home' }),
  '/search': ({ query }) => ({ kind: 'search', query: typeof query.q === 'string' ? query.q : '' }),
  '/video/:id': ({ params }) => ({ kind: 'video', id: params.id ?? '' }),
  '/profile/:id': ({ params }) => ({ kind: 'channel', id: params.id ?? '' }),
  '/playlist/:id': ({ params }) => ({ kind: 'playlist', id: params.id ?? '' }),
}

/** Serves the built client: hashed assets for ever, the page itself always fresh. */
export async function registerClientFiles(
  app: FastifyInstance,
  { deps, clientFolder }: { deps: AppDeps; clientFolder: string },
): Promise<(reply: FastifyReply, status: number) => Promise<FastifyReply>> {
  const page = await readPageTemplate(join(clientFolder, 'index.html'))
  const send = (reply: FastifyReply, content: string) =>
    reply.type('text/html; charset=utf-8').send(content)
  const heads = createPublicCache(deps.db)
  const sendPlain = async (reply: FastifyReply, rest = page.after) => {
    const head = await heads.read('plain', () => renderPlainHead(deps.db))
    return send(reply, page.before + head + rest)
  }
  const sendPage = (reply: FastifyReply, status: number) =>
    sendPlain(reply.code(status).header('cache-control', 'no-cache'))

  await app.register(fastifyStatic, {
    root: clientFolder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html', 'embed.html', MANIFEST_FILE, '.*'],
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${join(clientFolder, 'assets')}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  await registerManifest(app, { deps, clientFolder })
  await registerEmbedPage(app, { deps, clientFolder })
  for (const path of PLAIN_PAGES) app.get(path, (_, reply) => sendPage(reply, 200))
  for (const path of ADMIN_PAGES) {
    app.get(path, async (request, reply) => {
      const { viewer } = await createContext(deps, { req: request, res: reply })
      return sendPage(reply, viewer?.isAdmin ? 200 : 404)
    })
  }
  const route = 'routes/watch-page.tsx'
  const early = await readEarlyParts(clientFolder, { route, rest: page.after })
  const addEarlyLinks = (reply: FastifyReply, subject: PageSubject) => {
    const id = subject.kind === 'video' ? parseId(subject.id) : undefined
    return id === undefined || !early.script
      ? reply
      : reply.header('link', `${early.links}, ${watchQuestionLink(id)}`)
  }
  const beginScript = await findBeginScript(clientFolder)
  const firstPage = await readFirstPage(clientFolder, {
    after: page.after,
    beginScript,
    question: homeQuestionTag(),
  })
  /** The rest of the home page with its cards, for visitors: what members see is their own. */
  const readCards = async (request: SharedRequest, subject: PageSubject) => {
    const isPlain = subject.kind !== 'home' || request.query.category !== undefined
    if (!firstPage || isPlain || readSessionCookie(request, deps.config)) return null
    const now = new Date()
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    return heads.read(`cards ${minute}`, () => firstPage.render(deps.db, now))
  }
  for (const [path, subjectOf] of Object.entries(SHARED_PAGES)) {
    app.get(path, async (request, reply) => {
      const subject = subjectOf(request as SharedRequest)
      const origin = siteOrigin(request, deps.config)
      const key = `${origin} ${JSON.stringify(subject)}`
      const rest = subject.kind === 'video' ? early.script + early.rest : page.after
      const head = await heads.read(key, () => renderPageHead(deps.db, subject, origin))
      if (head !== null) {
        addEarlyLinks(reply, subject).header('cache-control', 'no-cache')
        const cards = await readCards(request as SharedRequest, subject)
        if (cards !== null) return send(reply, page.before + head + cards)
        return send(reply, page.before + head + rest)
      }
      const { viewer } = await createContext(deps, { req: request, res: reply })
      if (!(await existsForViewer(deps.db, { subject, viewer }))) return sendPage(reply, 404)
      addEarlyLinks(reply, subject).header('cache-control', 'private, no-store')
      return sendPlain(reply, rest)
    })
  }
  return sendPage
}
