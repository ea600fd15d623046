import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasAuthorization } from '../api-token/request-token.ts'
import type { Viewer } from '../auth/lucia.ts'
import { type AppDeps, createContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { answerBefore } from '../http/answer-before.ts'
import { householdOf } from '../http/client-address.ts'
import { showElsewhere } from '../http/security-headers.ts'
import { createProxyCheck } from '../http/trusted-proxy.ts'
import { createMediaAccess, type MediaAccess } from './media-access.ts'
import { answerMedia, describeMedia } from './media-answer.ts'
import { type OpenFile, takeFile, takeOpenFile } from './open-files.ts'

type MediaRequest = FastifyRequest<{ Params: { mediaKey: string; file: string } }>
type Named = { mediaKey: string; name: string }

const ADDRESS = /^\/media\/([\da-f]{32})\/([\w.-]+)$/

/**
 * The bytes of videos and pictures, to those who may see the video. A file never changes under its
 * address; while everybody may see it, caches may keep it for a year.
 *
 * What everybody may have and is open already is sent before the framework sees the request: a player
 * asks for parts of the same file again and again.
 */
export async function registerMediaRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const access = createMediaAccess(deps.db)
  const send = createSender(deps)
  const pathOf = ({ mediaKey, name }: Named) => join(deps.media.mediaFolder(mediaKey), name)
  /** What the framework gives every answer. */
  let common: OutgoingHttpHeaders | undefined

  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:mediaKey/:file',
    onRequest: showElsewhere,
    handler: async (request, reply) => {
      const { mediaKey, file: name } = (request as MediaRequest).params
      const viewer = await findViewer(deps, { request, reply })
      const decision = await access.decide({ mediaKey, name, viewer })
      const file = decision && (await takeFile(pathOf({ mediaKey, name })))
      if (!file) {
        deps.limits.reads.count(householdOf(request.ip))
        throw new AppError('not-found', 'There is no such file.')
      }
      const headers = reply.getHeaders() as OutgoingHttpHeaders
      if (!headers['set-cookie']) common ??= headers
      reply.hijack()
      send(reply.raw, { mediaKey, name, file, access: decision, headers })
      return reply
    },
  })

  answerBefore(app, (request, response) => {
    if (!common || app.log.level === 'debug' || deps.closing.aborted) return false
    const [address, mediaKey = '', name = ''] = ADDRESS.exec(request.url ?? '') ?? []
    if (!address || !isPlainRead(request) || !access.isKnownAsPublic(address)) return false
    const file = takeOpenFile(pathOf({ mediaKey, name }))
    if (file) send(response, { mediaKey, name, file, access: 'public', headers: common })
    return file !== undefined
  })
}

/** Whether nothing about a request has to be refused or looked at, so that everybody gets the same. */
function isPlainRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding']
  return headers.host !== undefined && headers.authorization === undefined && !hasBody
}

/** Most who ask are visitors: what says who somebody is need not be looked at then. */
async function findViewer(
  deps: AppDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer | undefined> {
  if (request.headers.cookie === undefined && !hasAuthorization(request)) return undefined
  const { viewer } = await createContext(deps, { req: request, res: reply })
  return viewer
}

/**
 * Sends the bytes, or tells the proxy in front which file to send. Where the trusted proxies are known,
 * who comes past them gets the bytes from here: nobody would understand what the proxy is told.
 */
function createSender({ config }: AppDeps) {
  const { xAccelPrefix, trustedProxies } = config
  const isForwarded = createProxyCheck(trustedProxies)
  const isHanded = (request: IncomingMessage) =>
    xAccelPrefix !== undefined && (trustedProxies.length === 0 || isForwarded(request))

  return (
    response: ServerResponse,
    input: Named & { file: OpenFile; access: MediaAccess; headers: OutgoingHttpHeaders },
  ): void => {
    const { mediaKey, name, file, access, headers } = input
    const description = describeMedia(name, access)
    if (!isHanded(response.req)) {
      answerMedia(response, { file, headers: { ...headers, ...description } })
      return
    }
    file.release()
    // Of the others the proxy would take none over, and it reads each of them.
    const cookie = headers['set-cookie']
    response
      .writeHead(200, {
        ...description,
        ...(cookie && { 'set-cookie': cookie }),
        'x-accel-redirect': [xAccelPrefix, mediaKey, encodeURIComponent(name)].join('/'),
        'content-length': 0,
      })
      .end()
  }
}
