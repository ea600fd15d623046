import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import {
  readMultipartForm,
  requireFile,
  requireFormSize,
} from '#server/platform/http/multipart-form.ts'
import { requireAdmin } from '#server/platform/http/require-viewer.ts'
import { changeGameArt } from '#server/platform/site/game-look.service.ts'
import { changeLogo } from '#server/platform/site/site.service.ts'

/** Registers the uploads of the site's logo and of the pictures of its games. */
export async function registerSitePictures(
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
  app.post('/site/art', async (request, reply) => {
    const { maxThumbnailBytes: maxFileBytes } = deps.config
    requireFormSize(request, maxFileBytes)
    const viewer = await requireAdmin(deps, { request, reply })
    const form = await readMultipartForm(request, { fileField: 'picture', maxFileBytes })
    const bytes = requireFile(form.file, 'picture')
    return {
      url: await changeGameArt(deps, { name: form.fields.category ?? '', bytes, viewer }),
    }
  })
}
