import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type AppDeps, createContext } from '../context.ts'
import { videoIsVisible } from '../video/video.queries.ts'

/** The app's own addresses; any other answers the same page with status 404. */
const PAGES = [
  '/',
  '/profile/:id',
  '/search',
  '/history',
  '/subscriptions',
  '/auth',
  '/upload',
  '/upload-chunked',
  '/studio',
  '/explore',
  '/library',
  '/settings',
  '/playlist/:id',
]

/** Serves the built client: hashed assets for ever, the page itself always fresh. */
export async function registerClientFiles(
  app: FastifyInstance,
  { deps, clientFolder }: { deps: AppDeps; clientFolder: string },
): Promise<(reply: FastifyReply, status: number) => FastifyReply> {
  const page = await readFile(join(clientFolder, 'index.html'))
  const sendPage = (reply: FastifyReply, status: number) =>
    reply
      .code(status)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page)

  await app.register(fastifyStatic, {
    root: clientFolder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html', '.*'],
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${join(clientFolder, 'assets')}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  for (const path of PAGES) app.get(path, (_, reply) => sendPage(reply, 200))
  app.get<{ Params: { id: string } }>('/video/:id', async (request, reply) => {
    const { viewer } = await createContext(deps, { req: request, res: reply })
    const id = Number(request.params.id)
    const visible = Number.isSafeInteger(id) && (await videoIsVisible(deps.db, { id, viewer }))
    return sendPage(reply, visible ? 200 : 404)
  })
  return sendPage
}
