import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from '#server/platform/context.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError, createBusyError } from '#server/platform/errors.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { refuseMedia } from '../media/send-media.ts'
import { findVisibleArriving } from './arriving.access.ts'
import { writeArrivingMaster, writeArrivingMedia } from './arriving-playlist.ts'

const PLAYLIST = 'application/vnd.apple.mpegurl'
const FRAGMENT = /^(\d{1,6})\.m4s$/

type Asked = FastifyRequest<{ Params: { id: string; file: string } }>

/**
 * An HLS stream of what has arrived of an upload; its samples are those of the file. Each request
 * checks access, as details may change while it arrives.
 */
export async function registerArrivingRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/arriving/:id/:file',
    handler: async (request, reply) => {
      const { file } = (request as Asked).params
      const stream = await findStream(deps, request as Asked, reply)
      if (!stream) return refuseMedia(deps, request)
      void reply.header('cache-control', 'private, no-store')
      const fragment = FRAGMENT.exec(file)?.[1]
      if (fragment !== undefined) {
        const bytes = await stream.fragment(Number(fragment))
        if (bytes) return reply.type('video/iso.segment').send(bytes)
        if (stream.over() !== undefined) return refuseMedia(deps, request)
        throw createBusyError()
      }
      await stream.catchUp()
      const head = stream.head()
      if (!head) {
        if (stream.over() !== undefined) throw cannotPlay()
        throw createBusyError()
      }
      if (file === 'head.mp4') return reply.type('video/mp4').send(head.bytes)
      const fragments = stream.fragments()
      const isWhole = stream.over() === 'end'
      void reply.type(PLAYLIST)
      if (file === 'master.m3u8') return writeArrivingMaster({ head, fragments })
      if (file === 'media.m3u8') return writeArrivingMedia({ fragments, isWhole })
      return refuseMedia(deps, request)
    },
  })
}

function cannotPlay(): AppError {
  return new AppError('unprocessable', 'This upload can be watched once it has arrived.')
}

async function findStream(deps: AppDeps, request: Asked, reply: FastifyReply) {
  const { success, data: id } = idSchema.safeParse(request.params.id)
  if (!success) return undefined
  const { viewer } = await createContext(deps, { req: request, res: reply })
  const upload = await findVisibleArriving(deps.db, { id, viewer })
  // The finished video may be cut, and its upload still has what was cut away.
  if (upload?.videoState === 'ready') return deps.arriving.find(id)
  return upload && deps.arriving.streamOf(id, upload)
}
