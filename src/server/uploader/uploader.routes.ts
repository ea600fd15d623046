import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'

const PROGRAM = join(import.meta.dirname, 'clutch.mjs')
const ADDRESS = "const SITE = ''\n"

/** The program contains nothing secret, so a site for members also serves it to visitors. */
export async function registerUploader(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const program = await readFile(PROGRAM, 'utf8')
  if (!program.includes(ADDRESS)) throw new Error('clutch.mjs has no place for the address.')
  app.get('/get/clutch.mjs', (request, reply) => {
    const origin = siteOrigin(request, deps.config)
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(program.replace(ADDRESS, () => `const SITE = ${JSON.stringify(origin)}\n`))
  })
}
