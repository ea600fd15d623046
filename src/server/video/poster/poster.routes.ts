import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import {
  readMultipartForm,
  requireFile,
  requireFormSize,
} from '#server/platform/http/multipart-form.ts'
import { requireViewer } from '#server/platform/http/require-viewer.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { receivePoster } from './poster.service.ts'

export async function registerPosterRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  await app.register(fastifyMultipart)
  app.post('/videos/:id/thumbnail', async (request, reply) => {
    const { maxThumbnailBytes } = deps.config
    requireFormSize(request, maxThumbnailBytes)
    const viewer = await requireViewer(deps, { request, reply })
    const form = await readMultipartForm(request, {
      fileField: 'thumbnail',
      maxFileBytes: maxThumbnailBytes,
    })
    const { id } = parseFields(videoIdSchema, request.params)
    const bytes = requireFile(form.file, 'thumbnail')
    return { thumbnailUrl: await receivePoster(deps, { id, bytes, viewer }) }
  })
}
