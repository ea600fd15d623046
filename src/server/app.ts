import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { sql } from 'kysely'
import { MAX_BATCH_CALLS, MAX_JSON_BYTES } from '#shared/limits.ts'
import { requireTokenScope } from './account/api-token/api-token.access.ts'
import { registerProviderRoutes } from './account/provider/provider.routes.ts'
import { registerPictureRoutes } from './account/settings/settings.routes.ts'
import { registerApiDocs } from './api-docs/api-docs.routes.ts'
import { listProcedureNames } from './api-docs/openapi.ts'
import { appRouter, createCaller } from './app-router.ts'
import {
  listenToAccounts,
  listenToProviders,
  listenToVideos,
} from './community/community.events.ts'
import { registerUnsubscribe } from './community/digest/unsubscribe.routes.ts'
import { registerDataExportRoute } from './desk/account-data/data-export.routes.ts'
import { registerBackupRoutes } from './desk/backup/backup.routes.ts'
import { registerMonitoring } from './desk/monitoring/monitoring.routes.ts'
import { registerSitePictures } from './desk/site/site.routes.ts'
import { listenForWebhooks } from './desk/webhook/webhook.events.ts'
import { registerLinkedMedia } from './discovery/share-link/linked-media.routes.ts'
import { registerSharingRoutes } from './discovery/sharing/sharing.routes.ts'
import { registerClientFiles } from './pages/client-files.ts'
import { readPageData } from './pages/page-data.ts'
import { runAsKindOfCall } from './platform/db/kind-of-call.ts'
import { requireWritable } from './platform/db/move/writable.ts'
import type { AppDeps } from './platform/deps.ts'
import { AppError } from './platform/errors.ts'
import { registerAnswerCache } from './platform/http/answer/answer-cache.ts'
import { registerSecurityHeaders } from './platform/http/answer/security-headers.ts'
import { registerFreshness, registerTextAnswers } from './platform/http/answer/text-answers.ts'
import {
  closeWhileDraining,
  limitConnections,
  limitRequests,
  refuseWhileClosing,
} from './platform/http/connection/connections.ts'
import { requireHost } from './platform/http/connection/request-host.ts'
import { requireSameOrigin } from './platform/http/connection/same-origin.ts'
import { loggedAddress } from './platform/http/logged-address.ts'
import { type LoggerOptions, withoutSecrets } from './platform/http/logger-options.ts'
import {
  NOT_FOUND_TEXT,
  refuseConnection,
  refuseExpectation,
  refuseTunnel,
  sendError,
  sendFailure,
} from './platform/http/plain-text-error.ts'
import { registerProcedureRequests } from './platform/http/procedure-requests.ts'
import { logRefusal } from './platform/http/refusal-log.ts'
import { makeRequestId, registerRequestIds } from './platform/http/request-id.ts'
import { registerRestRoutes } from './platform/http/rest-adapter.ts'
import { registerTrpcRoutes } from './platform/http/trpc.routes.ts'
import { clientNetwork } from './platform/request/client-address.ts'
import { countCalls, requireWithinLimits } from './platform/request/rate-limits.ts'
import { createProxyCheck } from './platform/request/trusted-proxies.ts'
import { restRoutes } from './rest-routes.ts'
import { registerUploader } from './uploader/uploader.routes.ts'
import { registerArrivingRoutes } from './video/arriving/arriving.routes.ts'
import { registerCaptionRoute } from './video/caption/caption.routes.ts'
import { listenToRecordings } from './video/clip/clip.events.ts'
import { registerDownloadRoute } from './video/download/download.routes.ts'
import { registerInboxPictures } from './video/inbox/inbox.routes.ts'
import { registerMediaRoutes } from './video/media/media.routes.ts'
import { registerTimelineRoute } from './video/moment/timeline.routes.ts'
import { registerPosterRoute } from './video/poster/poster.routes.ts'
import { registerUploadRoutes } from './video/upload/upload.routes.ts'
import { findVideoOwner } from './video/video/video.queries.ts'
import { registerWorkerRoutes } from './video/worker/worker.routes.ts'

/** Enough for a chunk of 2 MiB at 20 kB/s. */
const REQUEST_TIMEOUT_MS = 120_000

/** Ends connections of clients that read nothing; browsers retry. */
const STALL_MS = 60_000

const LEVELS_OF_REQUESTS = ['debug', 'trace']

const READING_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Procedures validate; the framework's compilers would take memory. */
const refuseSchema = () => {
  throw new Error('Routes have no schemas here: procedures have.')
}
const NO_COMPILERS = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

export type AppOptions = {
  logger?: LoggerOptions
  /** Without it only the server's own paths answer. */
  clientFolder?: string
  stallMs?: number
}

export async function buildApp(deps: AppDeps, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config } = deps
  listenToRecordings()
  listenToAccounts()
  listenToVideos()
  listenToProviders()
  listenForWebhooks()
  const app = Fastify({
    logger: options.logger ? withoutSecrets(options.logger) : false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: makeRequestId,
    bodyLimit: MAX_JSON_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: options.stallMs ?? STALL_MS,
    trustProxy: config.trustedProxies.length > 0 && createProxyCheck(config.trustedProxies),
    routerOptions: { maxParamLength: 5000, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_COMPILERS },
    frameworkErrors: sendError,
    clientErrorHandler: refuseConnection,
    http: { requireHostHeader: false },
  })
  app.server.on('checkExpectation', refuseExpectation)
  app.server.on('connect', refuseTunnel)
  limitConnections(app, config)
  limitRequests(app)
  refuseWhileClosing(app)
  closeWhileDraining(app, deps.draining)
  registerRequestIds(app)
  app.setErrorHandler(sendError)
  readJsonOnly(app)
  await app.register(fastifyCookie)
  app.addHook('onRequest', (request, _, done) => {
    requireHost(request, config)
    done()
  })
  registerTextAnswers(app)
  const cache = registerAnswerCache(app, deps)
  registerFreshness(app)
  await registerSecurityHeaders(app, deps)
  app.addHook('onResponse', (request, reply, done) => {
    void logRefusal(deps, request, { status: reply.statusCode })
    const { method, url } = request
    if (LEVELS_OF_REQUESTS.includes(request.log.level)) {
      request.log.debug(
        {
          ...{ method, url: loggedAddress(url), address: clientNetwork(request) },
          ...{ status: reply.statusCode, ms: reply.elapsedTime },
        },
        'request',
      )
    }
    done()
  })
  const procedures = new Set(listProcedureNames())
  await registerMonitoring(app, { deps, cache, procedures })
  registerProcedureRequests(app)
  // After the body is read, whose events belong to no request.
  app.addHook('preHandler', ({ routeOptions }, _, done) =>
    runAsKindOfCall(routeOptions.url ?? '', done),
  )
  app.addHook('preHandler', async (request) => {
    if (!READING_METHODS.includes(request.method)) await requireWritable(deps.db)
    await requireWithinLimits(request, deps)
    requireSameOrigin(request, deps)
    if (countCalls(request) > MAX_BATCH_CALLS) {
      throw new AppError('invalid', `A batch has at most ${MAX_BATCH_CALLS} calls.`)
    }
    await requireTokenScope(request, { ...deps, findVideoOwner })
  })

  app.get('/api/health', async (_, reply) => {
    await sql`SELECT 1`.execute(deps.db)
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
  })
  await app.register(
    async (api) => {
      registerRestRoutes(api, deps, { routes: restRoutes, createCaller })
      await api.register(registerUploadRoutes, { deps })
      await api.register(registerProviderRoutes, { deps })
      await api.register(registerPictureRoutes, { deps })
      await api.register(registerSitePictures, { deps })
      await api.register(registerBackupRoutes, { deps })
      await api.register(registerDataExportRoute, { deps })
      await api.register(registerPosterRoute, { deps })
      await api.register(registerCaptionRoute, { deps })
      await api.register(registerTimelineRoute, { deps })
      await api.register(registerDownloadRoute, { deps })
      await api.register(registerInboxPictures, { deps })
      await api.register(registerWorkerRoutes, { deps })
    },
    { prefix: '/api' },
  )
  await app.register(registerApiDocs, { deps })
  await app.register(registerMediaRoutes, { deps })
  await app.register(registerArrivingRoutes, { deps })
  await app.register(registerLinkedMedia, { deps })
  await app.register(registerSharingRoutes, { deps })
  await app.register(registerUnsubscribe, { deps })
  await app.register(registerUploader, { deps })
  await app.register(registerTrpcRoutes, { deps, router: appRouter })

  const sendPage = options.clientFolder
    ? await registerClientFiles(app, {
        deps,
        clientFolder: options.clientFolder,
        readData: readPageData,
      })
    : undefined
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !/^\/(api|trpc|media|arriving|cdn|assets)(\/|$|\?)/.test(request.url)
    if (isPage && sendPage) return sendPage(reply, 404)
    return sendFailure(reply, { status: 404, message: NOT_FOUND_TEXT })
  })
  return app
}

/** An unparsable body is null: access is checked before the schema. */
function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)))
    } catch {
      done(null, null)
    }
  })
}
