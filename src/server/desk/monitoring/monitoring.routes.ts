import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { CacheCounts } from '#server/platform/http/answer/answer-cache.ts'
import { STOPPING_TEXT } from '#server/platform/http/connection/connections.ts'
import { sendFailure } from '#server/platform/http/plain-text-error.ts'
import { listCalls } from '#server/platform/http/request-calls.ts'
import { requireMetricsAccess } from './metrics.access.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createReadiness, describeProblems, PARTS, type Problem } from './readiness.service.ts'

const NOT_READY = 'The site cannot do all of its work right now. Please try again in a moment.'
const RETRY_SECONDS = 5

const partsSchema = z.object({
  parts: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(PARTS)))
    .default([...PARTS]),
})

type Input = {
  deps: AppDeps
  cache: CacheCounts
  /** Bounds the labels: unknown names count as one. */
  procedures: ReadonlySet<string>
}

/** Before other routes. */
export async function registerMonitoring(app: FastifyInstance, input: Input): Promise<void> {
  const findProblems = createReadiness(input.deps)
  input.deps.presence.watch(async () => describeProblems(await findProblems()))
  registerReady(app, { deps: input.deps, findProblems })
  await registerMetrics(app, { ...input, findProblems })
}

type FindProblems = ReturnType<typeof createReadiness>

function registerReady(
  app: FastifyInstance,
  { deps, findProblems }: { deps: AppDeps; findProblems: FindProblems },
): void {
  const noteChange = createNote(app)
  app.get('/api/ready', async (request, reply) => {
    const unready = (message: string) =>
      sendFailure(reply, { status: 503, message, retryAfterSeconds: RETRY_SECONDS })
    if (deps.draining.aborted) return unready(STOPPING_TEXT)
    const parts = readParts(request)
    const all = await findProblems()
    noteChange(all)
    const reasons = describeProblems(all.filter(({ part }) => parts.includes(part)))
    if (reasons !== null) return unready((await isAdmin(deps, request)) ? reasons : NOT_READY)
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
  })
}

/**
 * Reads `?parts=`; checks all parts by default.
 * @throws `invalid`
 */
function readParts({ query }: FastifyRequest): readonly Problem['part'][] {
  const result = partsSchema.safeParse(query)
  if (result.success) return result.data.parts
  throw new AppError('invalid', `parts must be some of ${PARTS.join(', ')}, with commas between.`)
}

/** Counting begins at start with a token, else at the first local request. */
async function registerMetrics(
  app: FastifyInstance,
  { deps, cache, procedures, findProblems }: Input & { findProblems: FindProblems },
): Promise<void> {
  let starting: Promise<Metrics> | undefined
  let metrics: Metrics | undefined
  const start = async () => {
    starting ??= createMetrics(deps, { cache })
    metrics = await starting
    return metrics
  }
  if (deps.config.metricsToken !== undefined) await start()

  app.addHook('onResponse', (request, reply, done) => {
    metrics?.note({
      method: request.method,
      calls: listCalls(request, { reply, procedures }),
      seconds: isStream(reply) ? undefined : reply.elapsedTime / 1000,
    })
    done()
  })

  app.get('/metrics', async (request, reply) => {
    requireMetricsAccess(request, deps)
    const { contentType, write } = await start()
    const text = await write({
      problems: await findProblems(),
      onError: (err) => request.log.warn({ err }, 'metrics of the database could not be read'),
    })
    return reply.header('cache-control', 'no-store').type(contentType).send(text)
  })
}

/** Live events last as long as their page. */
function isStream(reply: FastifyReply): boolean {
  return `${reply.getHeader('content-type')}`.startsWith('text/event-stream')
}

async function isAdmin({ identity }: AppDeps, request: FastifyRequest): Promise<boolean> {
  const session = await identity.sessionOf(request).catch(() => undefined)
  return session?.viewer.isAdmin ?? false
}

/** Changes only: monitors poll. */
function createNote({ log }: FastifyInstance): (problems: Problem[]) => void {
  let noted = ''
  return (problems) => {
    const reasons = problems.map(({ reason }) => reason)
    const text = problems.map(({ part }) => part).join()
    if (text === noted) return
    noted = text
    if (text) log.warn({ reasons }, 'not ready')
    else log.info('ready again')
  }
}
