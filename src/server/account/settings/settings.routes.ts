import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import {
  readMultipartForm,
  requireFile,
  requireFormSize,
} from '#server/platform/http/multipart-form.ts'
import { requireViewer } from '#server/platform/http/require-viewer.ts'
import { changePicture, type PictureKind } from './settings.service.ts'

const KINDS: PictureKind[] = ['avatar', 'banner']

export async function registerPictureRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  await app.register(fastifyMultipart)
  for (const kind of KINDS) {
    app.post(`/settings/${kind}`, async (request, reply) => {
      requireFormSize(request, deps.config.maxThumbnailBytes)
      const viewer = await requireViewer(deps, { request, reply })
      const form = await readMultipartForm(request, {
        fileField: 'picture',
        maxFileBytes: deps.config.maxThumbnailBytes,
      })
      const bytes = requireFile(form.file, 'picture')
      return { url: await changePicture(deps, { kind, bytes, viewer }) }
    })
  }
}
