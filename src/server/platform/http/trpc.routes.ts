import type { AnyRouter } from '@trpc/server'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { MAX_BATCH_CALLS } from '#shared/limits.ts'
import { createContext } from '../context.ts'
import type { AppDeps } from '../deps.ts'
import { describeFailure } from '../trpc.ts'
import { logRefusal } from './refusal-log.ts'
import { noteFailedCall } from './request-calls.ts'

export async function registerTrpcRoutes(
  app: FastifyInstance,
  { deps, router }: { deps: AppDeps; router: AnyRouter },
): Promise<void> {
  const trpcOptions = {
    router,
    createContext: (exchange) => createContext(deps, exchange),
    allowBatching: true,
    maxBatchSize: MAX_BATCH_CALLS,
    responseMeta({ errors }) {
      const waits = errors.map((error) => describeFailure(error).retryAfterSeconds ?? 0)
      const seconds = Math.max(0, ...waits)
      return seconds > 0 ? { headers: { 'retry-after': `${seconds}` } } : {}
    },
    onError({ error, path, req: request }) {
      const { status, message, reason = message } = describeFailure(error)
      // A failed context has no code.
      if (error.code === 'INTERNAL_SERVER_ERROR' && status !== 503) {
        request.log.error({ err: error.cause ?? error, path }, 'procedure failed')
      } else if (status >= 500) {
        request.log.warn({ status, reason, path }, 'procedure not answered')
      }
      noteFailedCall(request, { call: path, status })
      void logRefusal(deps, request, { status, call: path })
    },
  } satisfies FastifyTRPCPluginOptions<AnyRouter>['trpcOptions']
  await app.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions })
}
