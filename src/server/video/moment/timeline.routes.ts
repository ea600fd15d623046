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
import { MAX_TIMELINE_BYTES } from '#shared/limits.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { addTimeline } from './timeline.service.ts'

export async function registerTimelineRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  await app.register(fastifyMultipart)
  app.post('/videos/:id/moments/timeline', async (request, reply) => {
    requireFormSize(request, MAX_TIMELINE_BYTES)
    const viewer = await requireViewer(deps, { request, reply })
    const form = await readMultipartForm(request, {
      fileField: 'timeline',
      maxFileBytes: MAX_TIMELINE_BYTES,
    })
    const { id } = parseFields(videoIdSchema, request.params)
    const bytes = requireFile(form.file, 'timeline')
    return addTimeline(deps.db, { id, bytes, viewer })
  })
}
