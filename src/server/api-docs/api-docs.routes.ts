import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { requireOpenSite } from '#server/platform/http/require-viewer.ts'
import { describeApi } from './openapi.ts'

const READER_FOLDER = dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
)

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clutch API</title>
<link rel="stylesheet" href="/api/docs/files/swagger-ui.css">
</head>
<body>
<main id="reader"></main>
<script src="/api/docs/files/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#reader', deepLinking: true })\n`

/** The page loads nothing from other servers. On a site for members only, it is for members only too. */
export async function registerApiDocs(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.addHook('preHandler', (request, reply) => requireOpenSite(deps, { request, reply }))
  let description: string | undefined
  app.get('/api/openapi.json', (_, reply) => {
    description ??= JSON.stringify(describeApi())
    return reply.type('application/json; charset=utf-8').send(description)
  })
  app.get('/api/docs', (_, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
  app.get('/api/docs/start.js', (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  )
  await app.register(fastifyStatic, {
    root: READER_FOLDER,
    prefix: '/api/docs/files/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => path === '/swagger-ui.css' || path === '/swagger-ui-bundle.js',
  })
}
