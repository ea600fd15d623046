import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createContext } from '#server/platform/context.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import { downloadSchema } from '#shared/schemas/download.schemas.ts'
import { createMediaSender, refuseMedia } from '../media/send-media.ts'
import { addDownload } from './download.queries.ts'
import { requireDownload } from './download.service.ts'

const POLL_MS = 30_000

type DownloadRequest = FastifyRequest<{
  Params: { id: string }
  Querystring: Record<string, unknown>
}>

export async function registerDownloadRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const send = createMediaSender(deps)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/videos/:id/download',
    handler: async (request, reply) => {
      const { params, query } = request as DownloadRequest
      const asked = parseFields(downloadSchema, { ...query, ...params })
      const { viewer } = await createContext(deps, { req: request, res: reply })
      const find = () => requireDownload(deps, { ...asked, viewer })
      const { mediaKey, name, fileName } = await find()
      if (beginsDownload(request)) await addDownload(deps.db, asked.id)
      const isSent = await send(
        { request, reply },
        {
          ...{ mediaKey, name, cacheControl: 'private, no-cache' },
          contentDisposition: describeAttachment(fileName),
          mayHave: async () => (await find()).mediaKey === mediaKey,
          askedEveryMs: POLL_MS,
        },
      )
      return isSent ? reply : refuseMedia(deps, request)
    },
  })
}

function beginsDownload({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.range === undefined || /^bytes=0-/.test(headers.range))
}

/** RFC 6266: an ASCII name for old clients, and the full one. */
function describeAttachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
