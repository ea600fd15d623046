import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import {
  readMultipartForm,
  requireFile,
  requireFormSize,
} from '#server/platform/http/multipart-form.ts'
import { requireAdmin } from '#server/platform/http/require-viewer.ts'
import { changeLogo } from '#server/platform/site/site.service.ts'

export async function registerLogoRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  await app.register(fastifyMultipart)
  app.post('/site/logo', async (request, reply) => {
    const { maxThumbnailBytes: maxFileBytes } = deps.config
    requireFormSize(request, maxFileBytes)
    const viewer = await requireAdmin(deps, { request, reply })
    const form = await readMultipartForm(request, { fileField: 'picture', maxFileBytes })
    return { url: await changeLogo(deps, { bytes: requireFile(form.file, 'picture'), viewer }) }
  })
}
