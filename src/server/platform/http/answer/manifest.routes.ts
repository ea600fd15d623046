import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import { findSiteSettings } from '../../site/site.queries.ts'

export const MANIFEST_FILE = 'manifest.webmanifest'

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
      .send(JSON.stringify({ ...manifest, name, short_name: name, description }))
  })
}
