import type { AnyRouter } from '@trpc/server'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import type { FastifyInstance } from 'fastify'
import { MAX_BATCH_CALLS } from '#shared/limits.ts'
import { createContext } from '../context.ts'
import type { AppDeps } from '../deps.ts'
import { describeFailure } from '../trpc.ts'
import { logRefusal } from './refusal-log.ts'
import { noteFailedCall } from './request-calls.ts'

/** The procedures, below `/trpc`. */
export async function registerTrpcRoutes(
  app: FastifyInstance,
  { deps, router }: { deps: AppDeps; router: AnyRouter },
): Promise<void> {
  const trpcOptions = {
    router,
    createContext: (exchange) => createContext(deps, exchange),
    allowBatching: true,
    maxBatchSize: MAX_BATCH_CALLS,
    onError({ error, path, req: request }) {
      const { status, message, reason = message } = describeFailure(error)
      if (error.code === 'INTERNAL_SERVER_ERROR') {
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
