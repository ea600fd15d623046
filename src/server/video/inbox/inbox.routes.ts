import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { requireViewer } from '#server/platform/http/require-viewer.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { findPicture } from './inbox-list.queries.ts'

export async function registerInboxPictures(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.get('/inbox/:id/picture', async (request, reply) => {
    const viewer = await requireViewer(deps, { request, reply })
    const { id } = parseFields(videoIdSchema, request.params)
    const jpeg = await findPicture(deps.db, { id, viewer })
    if (!jpeg) throw new AppError('not-found', 'There is no such picture.')
    return reply
      .header('cache-control', 'private, max-age=86400')
      .type('image/jpeg')
      .send(Buffer.from(jpeg))
  })
}
