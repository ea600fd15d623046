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
import { MAX_CAPTIONS_BYTES } from '#shared/limits.ts'
import { captionFieldsSchema } from '#shared/schemas/caption.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { receiveCaptions } from './caption.service.ts'

export async function registerCaptionRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  await app.register(fastifyMultipart)
  app.post('/videos/:id/captions', async (request, reply) => {
    requireFormSize(request, MAX_CAPTIONS_BYTES)
    const viewer = await requireViewer(deps, { request, reply })
    const form = await readMultipartForm(request, {
      fileField: 'captions',
      maxFileBytes: MAX_CAPTIONS_BYTES,
    })
    const { id } = parseFields(videoIdSchema, request.params)
    const fields = parseFields(captionFieldsSchema, form.fields)
    const bytes = requireFile(form.file, 'captions')
    return receiveCaptions(deps, { ...fields, id, bytes, viewer })
  })
}
