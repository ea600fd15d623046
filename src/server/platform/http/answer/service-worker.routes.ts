import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import { findSiteSettings } from '../../site/site.queries.ts'
import { renderOfflinePage } from './offline-page.ts'
import { createPageSender } from './page-sender.ts'

export const SERVICE_WORKER_FILE = 'service-worker.js'

const VERSION_LENGTH = 12

/** The version of the worker changes with the offline page, so that browsers fetch both again. */
export async function registerServiceWorker(
  app: FastifyInstance,
  { deps, clientFolder }: { deps: AppDeps; clientFolder: string },
): Promise<void> {
  const text = await readFile(join(clientFolder, SERVICE_WORKER_FILE), 'utf8').catch(
    () => undefined,
  )
  if (text === undefined) return
  const renderPage = async () => renderOfflinePage(await findSiteSettings(deps.db))

  app.get(`/${SERVICE_WORKER_FILE}`, async (_, reply) => {
    const digest = createHash('sha256')
      .update(await renderPage())
      .digest('hex')
    return reply
      .type('text/javascript; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'service-worker-allowed': '/' })
      .send(text.replace('{version}', digest.slice(0, VERSION_LENGTH)))
  })

  app.get('/offline', async (_, reply) => {
    const page = await renderPage()
    return createPageSender(page)(reply.header('cache-control', 'no-cache'), page)
  })

  // The worker answers POST /share. Without a worker the files are lost, because no page may read them.
  app.get('/share', (_, reply) => reply.redirect('/upload', 303))
  app.route({
    method: 'POST',
    url: '/share',
    // This hook runs before the body is read. No parser accepts its type.
    onRequest: async (_, reply) => reply.redirect('/upload?share=failed', 303),
    handler: (_, reply) => reply.redirect('/upload?share=failed', 303),
  })
}
