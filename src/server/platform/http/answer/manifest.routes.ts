import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { VIDEO_EXTENSIONS } from '#shared/video-formats.ts'
import type { AppDeps } from '../../deps.ts'
import { findSiteSettings } from '../../site/site.queries.ts'

export const MANIFEST_FILE = 'manifest.webmanifest'

/** The service worker answers these requests. */
const SHARE_TARGET = {
  action: '/share',
  method: 'POST',
  enctype: 'multipart/form-data',
  params: {
    files: [{ name: 'videos', accept: ['video/*', ...VIDEO_EXTENSIONS.map((one) => `.${one}`)] }],
  },
}

export async function registerManifest(
  app: FastifyInstance,
  { deps, clientFolder }: { deps: AppDeps; clientFolder: string },
): Promise<void> {
  const text = await readFile(join(clientFolder, MANIFEST_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const manifest = JSON.parse(text) as Record<string, unknown>
  app.get(`/${MANIFEST_FILE}`, async (_, reply) => {
    const { name, tagline } = await findSiteSettings(deps.db)
    const description = tagline || manifest.description
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        JSON.stringify({
          ...manifest,
          ...{ name, short_name: name, description, share_target: SHARE_TARGET },
        }),
      )
  })
}
