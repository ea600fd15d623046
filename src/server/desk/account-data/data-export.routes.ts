import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { planAnswer } from '#server/platform/files/answer-plan.ts'
import { sendAnswer } from '#server/platform/files/store-answer.ts'
import { requireConfirmedViewer } from '#server/platform/http/require-viewer.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { DATA_ARCHIVES } from '#shared/data-archives.ts'
import { streamDataArchive } from './data-archive.ts'
import { type DataExport, findDataExport } from './data-export.queries.ts'
import { openDataArchive, requireReadyExport } from './data-export.service.ts'

const ASK_AGAIN_MS = 30_000
const TYPES = { clutch: 'application/x-tar', peertube: 'application/zip' } as const

/** The address has no id, so nobody can ask for another member's archive. */
export async function registerDataExportRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/settings/data/download',
    handler: async (request, reply) => {
      const viewer = await requireConfirmedViewer(deps, { request, reply })
      const found = await requireReadyExport(deps.db, viewer)
      const { bytes } = found
      const name = DATA_ARCHIVES[found.format]
      const modifiedAt = new Date(found.finishedAt ?? 0)
      const etag = `"${found.id.toString(36)}-${modifiedAt.getTime().toString(36)}"`
      const plan = planAnswer(request.headers, { bytes, etag, modifiedAt })
      const range = typeof plan.body === 'object' ? plan.body : undefined
      const checksFiles = range?.start === 0
      if (checksFiles) request.log.info({ userId: viewer.id }, 'own data downloaded')
      const archive = await openDataArchive(deps, { found, viewer, checksFiles })
      const body =
        range && request.method === 'GET' ? streamDataArchive(deps, { archive, range }) : undefined
      reply.hijack()
      await sendAnswer(reply.raw, {
        plan,
        headers: {
          ...(reply.getHeaders() as Record<string, string>),
          'accept-ranges': 'bytes',
          'content-type': TYPES[found.format],
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store',
        },
        stream: body ? Readable.from(whileAllowed(body), { objectMode: false }) : null,
      })
      return reply

      async function* whileAllowed(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
        let askedAt = Date.now()
        for await (const piece of pieces) {
          if (Date.now() - askedAt > ASK_AGAIN_MS) {
            if (!(await isAllowed(deps, { request, viewer, found }))) return
            askedAt = Date.now()
          }
          yield piece
        }
      }
    },
  })
}

/**
 * Checked repeatedly: a transfer can take hours, in which the session may end, the export expire or a video become
 * private.
 */
async function isAllowed(
  deps: AppDeps,
  input: {
    request: Parameters<AppDeps['identity']['sessionOf']>[0]
    viewer: Viewer
    found: DataExport
  },
): Promise<boolean> {
  const { db, sessions, identity } = deps
  const session = await identity.sessionOf(input.request)
  if (!session || !(await sessions.validateSession(session.id)).session) return false
  if ((await findDataExport(db, input.viewer.id))?.id !== input.found.id) return false
  return openDataArchive(deps, { ...input, checksFiles: false }).then(
    () => true,
    () => false,
  )
}
