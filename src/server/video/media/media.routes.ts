import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from '#server/platform/context.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { answerMedia, openMedia } from '#server/platform/files/media-answer.ts'
import { exists } from '#server/platform/files/media-store.ts'
import { showElsewhere } from '#server/platform/http/answer/security-headers.ts'
import { networkOf } from '#server/platform/http/connection/client-address.ts'
import { createProxyCheck } from '#server/platform/http/connection/trusted-proxies.ts'
import { hasAuthorization } from '#server/platform/http/credentials.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findMediaAccess, isMediaName, type MediaAccess } from './media-access.ts'

const PUBLIC = 'public, max-age=31536000, s-maxage=60, immutable'

const CONTENT_TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

type MediaRequest = FastifyRequest<{ Params: { addressKey: string; file: string } }>

/**
 * The bytes of videos and pictures, to those who may see the video. A file never changes under its
 * address; while everybody may see it, browsers may keep it for a year, and caches that others share
 * ask after a minute whether it may still be seen.
 *
 * With `X_ACCEL_PREFIX` the proxy in front is instructed which file to send. Where the trusted proxies are known, who comes
 * past them gets the bytes from here: nobody would understand what the proxy is sent.
 */
export async function registerMediaRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const { xAccelPrefix, trustedProxies } = deps.config
  const isProxy = createProxyCheck(trustedProxies)
  const isForwarded = ({ headers, socket }: IncomingMessage) =>
    headers['x-forwarded-for'] !== undefined && isProxy(socket.remoteAddress ?? '')

  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:addressKey/:file',
    onRequest: showElsewhere,
    handler: async (request, reply) => {
      const { addressKey, file: name } = (request as MediaRequest).params
      const viewer = await findViewer(deps, { request, reply })
      const asked = { addressKey, name, viewer }
      const access = isMediaName(asked) ? await findMediaAccess(deps.db, asked) : undefined
      if (!access) return refuse(deps, request)
      const { mediaKey } = access
      const path = join(deps.media.mediaFolder(mediaKey), name)
      const headers = describeMedia(name, access)
      if (xAccelPrefix && (trustedProxies.length === 0 || isForwarded(request.raw))) {
        if (!(await exists(path))) return refuse(deps, request)
        const target = [xAccelPrefix, mediaKey, encodeURIComponent(name)].join('/')
        return reply.headers(headers).header('x-accel-redirect', target).send()
      }
      const file = await openMedia(reply.raw, path)
      if (!file) return refuse(deps, request)
      reply.hijack()
      const all = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers }
      await answerMedia(reply.raw, { file, headers: all })
      return reply
    },
  })
}

/** @throws AppError `not-found`, and `too-many` for who looks for many files that are not there */
function refuse({ limits }: AppDeps, { ip }: FastifyRequest): never {
  limits.reads.count(networkOf(ip))
  throw new AppError('not-found', 'There is no such file.')
}

/** What a file's name and who may have it say of every answer with it. */
function describeMedia(name: string, { isPublic }: MediaAccess) {
  return {
    'accept-ranges': 'bytes',
    'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': isPublic ? PUBLIC : 'private, no-cache',
  }
}

/** Most who ask are visitors: who is asking need not be looked at then. */
async function findViewer(
  deps: AppDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer | undefined> {
  if (request.headers.cookie === undefined && !hasAuthorization(request)) return undefined
  const { viewer } = await createContext(deps, { req: request, res: reply })
  return viewer
}
