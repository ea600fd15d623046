import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { answerMedia, openMedia } from '#server/platform/files/media-answer.ts'
import { readArrival } from '#server/platform/request/arrival.ts'
import { clientNetwork } from '#server/platform/request/client-address.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import { isLoopbackHost } from '#shared/local-host.ts'
import { HandedBackError } from '../job/job-errors.ts'
import { isJobDone } from '../job/job-lease.queries.ts'
import { type HeldTask, inputsOf } from './held-task.ts'
import { type KnownWorker, refuseWorker, requireHeld, requireWorker } from './worker.access.ts'
import {
  claimSchema,
  failureSchema,
  fileParamsSchema,
  helloSchema,
  jobParamsSchema,
  offsetSchema,
  PROTOCOL,
  progressSchema,
  protocolSchema,
  WORKER_CHUNK_BYTES,
} from './worker-protocol.ts'

const DIGEST = /^sha-256=:([A-Za-z0-9+/]{43}=):$/

/** Worker tokens are for these only; see docs/decisions/0040-workers.md. */
export async function registerWorkerRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const { db, remote } = deps
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: WORKER_CHUNK_BYTES },
    (_, body, done) => done(null, body),
  )
  app.addHook('onSend', async (_, reply) => {
    reply.header('cache-control', 'no-store')
    // A new connection may reach the node with the job.
    if (reply.statusCode === 503) reply.header('connection', 'close')
  })

  // Before reading a body.
  const workers = new WeakMap<FastifyRequest, KnownWorker>()
  app.addHook('onRequest', async (request) => {
    workers.set(request, await requireWorker(deps, request))
  })
  const workerOf = (request: FastifyRequest) => workers.get(request) ?? refuseWorker()

  const requireJob = async (request: FastifyRequest): Promise<HeldTask> => {
    const worker = workerOf(request)
    requireReady(deps)
    const { jobId, attempt } = parseFields(jobParamsSchema, request.params)
    return requireHeld(deps, { worker, jobId, attempt })
  }

  app.post('/worker/hello', async (request) => {
    const worker = workerOf(request)
    requireProtocol(request)
    noteEncryption(deps, request, worker)
    const { greetWorker } = await loadCalls()
    return greetWorker(deps, worker, parseFields(helloSchema, request.body))
  })

  app.post('/worker/claim', async (request, reply) => {
    const worker = workerOf(request)
    requireProtocol(request)
    requireReady(deps)
    const { kinds, maxHeight } = parseFields(claimSchema, request.body)
    const [{ claimTask }, { describeOrder }] = await Promise.all([
      import('./claim-task.ts'),
      loadCalls(),
    ])
    const gone = abortsWhenGone(reply)
    const held = await claimTask(deps, { worker, kinds, maxHeight, gone: gone.signal })
    const returnJob = () => held?.fail(new HandedBackError())
    gone.signal.addEventListener('abort', returnJob)
    if (gone.signal.aborted) returnJob()
    const order = held ? await describeOrder(held) : null
    if (order) failpoint('order.made')
    return { order, isDrained: worker.drainedAt !== null }
  })

  app.get('/worker/jobs/:jobId/:attempt/inputs/:name', async (request, reply) => {
    const held = await requireJob(request)
    const { name } = parseFields(fileParamsSchema, request.params)
    const path = inputsOf(held.task).get(name)
    const file = path && (await openMedia(reply.raw, path))
    if (!file) throw new AppError('not-found', 'There is no such file.')
    held.noteProgress()
    reply.hijack()
    const headers = { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }
    await answerMedia(reply.raw, { file, headers })
  })

  app.get('/worker/jobs/:jobId/:attempt/outputs/:name', async (request) => {
    const held = await requireJob(request)
    const { name } = parseFields(fileParamsSchema, request.params)
    const { listReceived } = await import('./output-files.ts')
    return { offsets: listReceived(held, name) }
  })

  app.post('/worker/jobs/:jobId/:attempt/outputs/:name', async (request) => {
    const held = await requireJob(request)
    const { name } = parseFields(fileParamsSchema, request.params)
    const { offset } = parseFields(offsetSchema, request.query)
    const digest = DIGEST.exec(String(request.headers['content-digest']))?.[1]
    const bytes = request.body
    if (digest === undefined || !Buffer.isBuffer(bytes)) {
      throw new AppError('invalid', 'Send bytes with their Content-Digest.')
    }
    const { receiveOutput } = await import('./output-files.ts')
    await receiveOutput(deps, held, { name, offset, bytes, digest })
    return {}
  })

  app.post('/worker/jobs/:jobId/:attempt/progress', async (request) => {
    const held = await requireJob(request)
    const { progress } = parseFields(progressSchema, request.body)
    if (progress) held.report(progress)
    return {}
  })

  app.post('/worker/jobs/:jobId/:attempt/done', async (request) => {
    const worker = workerOf(request)
    requireReady(deps)
    const { jobId, attempt } = parseFields(jobParamsSchema, request.params)
    const body = request.body as { result?: unknown } | null
    // The answer to an earlier request may have been lost.
    const repeated = remote.results.get(`${worker.id}:${jobId}:${attempt}`)
    if (repeated) await repeated
    else if (!(await isJobDone(db, { id: jobId, attempt, workerId: worker.id }))) {
      const held = await requireHeld(deps, { worker, jobId, attempt })
      const { takeResultOnce } = await loadCalls()
      await takeResultOnce(remote, held, body?.result)
    }
    return {}
  })

  app.post('/worker/jobs/:jobId/:attempt/failed', async (request) => {
    const held = await requireJob(request)
    const { takeFailure } = await loadCalls()
    takeFailure(held, parseFields(failureSchema, request.body))
    return {}
  })
}

const loadCalls = () => import('./worker-calls.ts')

/** @throws `conflict` for another protocol */
function requireProtocol({ body }: FastifyRequest): void {
  const { protocol } = parseFields(protocolSchema, body)
  if (protocol === PROTOCOL) return
  const advice =
    protocol < PROTOCOL
      ? 'This worker is older than the site. Update this worker.'
      : 'This worker is newer than the site. Update the site.'
  throw new AppError('conflict', advice)
}

/**
 * Answers `busy`, because a worker would otherwise consider its jobs lost.
 * @throws `busy`
 */
function requireReady({ jobs, closing }: AppDeps): void {
  if (jobs.isReady() && !closing.aborted) return
  throw new AppError('busy', 'The site is about to start or stop.', { retryAfterSeconds: 1 })
}

function abortsWhenGone({ raw }: FastifyReply): AbortController {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone
}

/** Records and logs that a worker receives recordings over an unencrypted connection. */
function noteEncryption(
  { config, remote }: Pick<AppDeps, 'config' | 'remote'>,
  request: FastifyRequest,
  { id, name }: KnownWorker,
): void {
  const address = clientNetwork(request)
  const isSafe = readArrival(request, config).origin.startsWith('https:') || isLoopbackHost(address)
  if (isSafe) {
    remote.plain.delete(id)
    return
  }
  if (remote.plain.has(id)) return
  remote.plain.add(id)
  const reason = `The worker ${name} uses plain HTTP.`
  request.log.warn({ workerId: id, address, reason }, 'a connection is not encrypted')
}
