import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from '../context.ts'
import type { AppDeps } from '../deps.ts'
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
import { readSessionCookie } from './credentials.ts'
import {
  homeQuestion,
  readBeginScript,
  readEarlyParts,
  styleLinks,
  watchQuestionLink,
} from './early-links.ts'
import { MANIFEST_FILE, registerManifest } from './manifest.routes.ts'
import { createPageSender } from './page-sender.ts'
import { siteOrigin } from './site-origin.ts'

/** The app's own addresses that nobody shares; any other answers the same page with status 404. */
const PLAIN_PAGES = [
  '/history',
  '/subscriptions',
  '/upload',
  '/upload-chunked',
  '/studio',
  '/explore',
  '/library',
  '/playlist/watch-later',
  '/playlist/liked',
  '/settings',
  '/rules',
]

/** Their addresses may hold a secret: what they load is told the site's origin alone. */
const SECRET_PAGES = ['/auth', '/reset']

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
  const firstPage = await readFirstPage(clientFolder, {
    after: page.after,
    beginScript: await readBeginScript(clientFolder),
    question: homeQuestion(),
  })
  const send = createPageSender(page.before + (firstPage?.template ?? page.after))
  const sendPlain = async (reply: FastifyReply, rest = page.after) =>
    send(reply, page.before + (await renderPlainHead(deps.db)) + rest)
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
  for (const path of SECRET_PAGES) {
    app.get(path, (_, reply) => sendPage(reply.header('referrer-policy', 'strict-origin'), 200))
  }
  for (const path of ADMIN_PAGES) {
    app.get(path, async (request, reply) => {
      const { viewer } = await createContext(deps, { req: request, res: reply })
      return sendPage(reply, viewer?.isAdmin ? 200 : 404)
    })
  }
  const route = 'routes/watch-page.tsx'
  const early = await readEarlyParts(clientFolder, { route, rest: page.after })
  const styles = styleLinks(page.after)
  const addEarlyLinks = (reply: FastifyReply, subject: PageSubject) => {
    const id = subject.kind === 'video' ? parseId(subject.id) : undefined
    const isEarly = id !== undefined && early.script
    const links = isEarly ? `${early.links}, ${watchQuestionLink(id)}` : styles
    return links ? reply.header('link', links) : reply
  }
  /** Whether the page shows its first cards: what members see is their own. */
  const hasCards = (request: SharedRequest, subject: PageSubject): boolean => {
    const isHome = subject.kind === 'home' && request.query.category === undefined
    return isHome && !readSessionCookie(request, deps.config)
  }
  for (const [path, subjectOf] of Object.entries(SHARED_PAGES)) {
    app.get(path, async (request, reply) => {
      const subject = subjectOf(request as SharedRequest)
      const origin = siteOrigin(request, deps.config)
      const cards = hasCards(request as SharedRequest, subject) ? firstPage : undefined
      const rest = subject.kind === 'video' ? early.script + early.rest : page.after
      const head = await renderPageHead(deps.db, subject, origin)
      if (head !== null) {
        addEarlyLinks(reply, subject).header('cache-control', 'no-cache')
        const drawn = await cards?.render(deps.db, new Date())
        return send(reply, page.before + head + (drawn ?? rest))
      }
      const { viewer } = await createContext(deps, { req: request, res: reply })
      if (!(await existsForViewer(deps.db, { subject, viewer }))) return sendPage(reply, 404)
      addEarlyLinks(reply, subject).header('cache-control', 'private, no-store')
      return sendPlain(reply, rest)
    })
  }
  return sendPage
}
