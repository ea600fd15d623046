import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from '#server/platform/context.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { showElsewhere } from '#server/platform/http/answer/security-headers.ts'
import { hasAuthorization } from '#server/platform/request/credentials.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findMediaAccess, isMediaName } from './media-access.ts'
import { createMediaSender, refuseMedia } from './send-media.ts'

const PUBLIC = 'public, max-age=31536000, s-maxage=60, immutable'

/** After access is lost a download ends within this time. */
const POLL_MS = 30_000

/** Permits `Range` across origins, for a day. */
const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Range',
  'access-control-max-age': '86400',
}
const FOR_ALL_ORIGINS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
}

type MediaRequest = FastifyRequest<{ Params: { addressKey: string; file: string } }>

/**
 * Files never change: browsers keep public ones for a year. Shared caches ask again after a minute,
 * as visibility may change.
 */
export async function registerMediaRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const send = createMediaSender(deps)

  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:addressKey/:file',
    onRequest: showElsewhere,
    handler: async (request, reply) => {
      const { addressKey, file: name } = (request as MediaRequest).params
      const viewer = await findViewer(deps, { request, reply })
      const asked = { addressKey, name, viewer }
      const access = isMediaName(asked) ? await findMediaAccess(deps.db, asked) : undefined
      if (!access) return refuseMedia(deps, request)
      const { mediaKey, isPublic } = access
      const cacheControl = isPublic ? PUBLIC : 'private, no-cache'
      const publicPath = isPublic ? `/cdn/${addressKey}/${name}` : undefined
      const mayHave = async () => (await findMediaAccess(deps.db, asked)) !== undefined
      const file = { mediaKey, name, cacheControl, publicPath, mayHave, askedEveryMs: POLL_MS }
      const isSent = await send({ request, reply }, file)
      return isSent ? reply : refuseMedia(deps, request)
    },
  })

  app.options('/cdn/:addressKey/:file', async (_request, reply) =>
    reply.code(204).headers(PREFLIGHT).send(),
  )

  // For the CDN; pages read its answers across origins.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/cdn/:addressKey/:file',
    onRequest: showElsewhere,
    handler: async (request, reply) => {
      const { addressKey, file: name } = (request as MediaRequest).params
      const asked = { addressKey, name, viewer: undefined }
      const find = async () => {
        const access = isMediaName(asked) ? await findMediaAccess(deps.db, asked) : undefined
        return access?.isPublic ? access : undefined
      }
      const access = await find()
      if (!access) return refuseMedia(deps, request)
      reply.headers(FOR_ALL_ORIGINS)
      const mayHave = async () => (await find()) !== undefined
      const isSent = await send(
        { request, reply },
        {
          ...{ mediaKey: access.mediaKey, name, cacheControl: PUBLIC, mayHave },
          ...{ askedEveryMs: POLL_MS, isSentFromHere: true },
        },
      )
      return isSent ? reply : refuseMedia(deps, request)
    },
  })
}

/** Most requests are for public files. */
async function findViewer(
  deps: AppDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer | undefined> {
  if (request.headers.cookie === undefined && !hasAuthorization(request)) return undefined
  const { viewer } = await createContext(deps, { req: request, res: reply })
  return viewer
}
