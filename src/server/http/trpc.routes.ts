import {
  callTRPCProcedure,
  getErrorShape,
  getTRPCErrorFromUnknown,
  type TRPCError,
} from '@trpc/server'
import type { FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import { getHTTPStatusCode } from '@trpc/server/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MAX_BATCH_CALLS } from '#shared/limits.ts'
import { type AppRouter, appRouter } from '../app-router.ts'
import { type AppDeps, type Context, createContext } from '../context.ts'
import { joinPieces, type Pieces, writtenAnswer } from '../ready-answer.ts'
import { describeFailure } from '../trpc.ts'
import { logRefusal } from './refusal-log.ts'

const { _config: config, procedures } = appRouter._def as unknown as {
  _config: Parameters<typeof getErrorShape>[0]['config']
  procedures: Record<string, { _def: { type: string } } | undefined>
}

type Call = { path: string; input: unknown }
type Questions = { calls: Call[]; isBatch: boolean }
type TrpcRequest = FastifyRequest<{ Params: { path: string } }>
type OnError = (failed: { error: TRPCError; path: string | undefined }) => void

/**
 * The procedures, below `/trpc`. Well-formed questions by GET are answered without the adapter's
 * Request, Response and streams, which cost more than the procedures; everything else is the adapter's. It
 * is loaded with the first of that: with Request and Response comes a whole HTTP client, 14 MB.
 */
export async function registerTrpcRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const onErrorOf =
    (request: FastifyRequest): OnError =>
    ({ error, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR') {
        app.log.error({ err: error.cause ?? error, path }, 'procedure failed')
      }
      void logRefusal(deps, request, { status: describeFailure(error).status, call: path })
    }
  const options = {
    router: appRouter,
    createContext: (exchange) => createContext(deps, exchange),
    allowBatching: true,
    maxBatchSize: MAX_BATCH_CALLS,
  } satisfies FastifyTRPCPluginOptions<AppRouter>['trpcOptions']

  // The adapter reads the bodies itself.
  for (const type of ['application/json', 'multipart/form-data']) app.removeContentTypeParser(type)
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) =>
    done(null, body),
  )
  app.addContentTypeParser('multipart/form-data', {}, (_, body, done) => done(null, body))

  app.all('/trpc/:path', async (request: TrpcRequest, reply) => {
    const onError = onErrorOf(request)
    const questions = readQuestions(request)
    if (questions) return answerQuestions(reply, { deps, questions, onError })
    const { path } = request.params
    const { fastifyRequestHandler } = await import('@trpc/server/adapters/fastify')
    await fastifyRequestHandler({ ...options, onError, req: request, res: reply, path })
  })
}

/** What is asked, or undefined for anything that is no plain question to procedures that are there. */
function readQuestions({ method, headers, params, url }: TrpcRequest): Questions | undefined {
  if (method !== 'GET' || headers['trpc-accept'] !== undefined) return undefined
  if (headers.accept?.includes('jsonl') || headers['content-type'] !== undefined) return undefined
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
  const isBatch = query.get('batch') === '1'
  const paths = isBatch ? params.path.split(',') : [params.path]
  const isKnown = (path: string) =>
    Object.hasOwn(procedures, path) && procedures[path]?._def.type === 'query'
  if (!paths.every(isKnown) || query.has('connectionParams')) return undefined
  const inputs = readInputs(query.get('input'))
  if (!inputs || (isBatch && inputs.value !== undefined && !isRecord(inputs.value)))
    return undefined
  const inputOf = (index: number) =>
    isBatch ? (inputs.value as Record<string, unknown> | undefined)?.[index] : inputs.value
  return { isBatch, calls: paths.map((path, index) => ({ path, input: inputOf(index) })) }
}

function readInputs(text: string | null): { value: unknown } | undefined {
  if (!text) return { value: undefined }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Answer = { pieces: Pieces; status: number }

async function answerQuestions(
  reply: FastifyReply,
  { deps, questions, onError }: { deps: AppDeps; questions: Questions; onError: OnError },
): Promise<FastifyReply> {
  const context = await createContext(deps, { req: reply.request, res: reply })
  const answers = await Promise.all(
    questions.calls.map((call, index) => answerCall(call, { context, index, onError })),
  )
  const [first] = answers
  const isMixed = answers.some(({ status }) => status !== first?.status)
  const pieces = answers.flatMap(({ pieces }, index) => (index > 0 ? [',', ...pieces] : pieces))
  return reply
    .code(isMixed ? 207 : (first?.status ?? 200))
    .header('content-type', 'application/json')
    .header('vary', 'trpc-accept, accept')
    .send(joinPieces(questions.isBatch ? ['[', ...pieces, ']'] : pieces))
}

async function answerCall(
  { path, input }: Call,
  { context, index, onError }: { context: Context; index: number; onError: OnError },
): Promise<Answer> {
  try {
    const data = await callTRPCProcedure({
      router: appRouter,
      path,
      getRawInput: async () => input,
      ctx: context,
      type: 'query',
      signal: undefined,
      batchIndex: index,
    })
    return { status: 200, pieces: writeResult(data) }
  } catch (cause) {
    const error = getTRPCErrorFromUnknown(cause)
    onError({ error, path })
    const shape = {
      error: getErrorShape({ config, ctx: context, error, input, path, type: 'query' }),
    }
    return { status: getHTTPStatusCode(shape as never), pieces: [JSON.stringify(shape)] }
  }
}

function writeResult(data: unknown): Pieces {
  if (data === undefined) return ['{"result":{}}']
  const pieces = writtenAnswer(data)?.pieces() ?? [JSON.stringify(data)]
  return ['{"result":{"data":', ...pieces, '}}']
}
