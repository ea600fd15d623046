import type { FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { logWrongToken } from '#server/platform/request/credential-log.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { HeldTask } from './held-task.ts'
import { notHeld } from './held-task.ts'
import { findWorkerByToken, updateWorkerSeen } from './worker.queries.ts'

const BEARER = /^bearer +(\S{1,200}) *$/i
const SEEN_STEP_MS = 10_000

export type KnownWorker = NonNullable<Awaited<ReturnType<typeof findWorkerByToken>>>

/** @throws `unauthenticated` */
export async function requireWorker(
  deps: Pick<AppDeps, 'db' | 'limits'>,
  request: FastifyRequest,
): Promise<KnownWorker> {
  const { db } = deps
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const worker = token ? await findWorkerByToken(db, hashWorkerToken(token)) : undefined
  if (!worker) {
    void logWrongToken(deps, request, 'worker')
    return refuseWorker()
  }
  const age = Date.now() - Date.parse(worker.lastSeenAt ?? '1970-01-01')
  if (Math.abs(age) >= SEEN_STEP_MS) await updateWorkerSeen(db, { id: worker.id })
  return worker
}

export function refuseWorker(): never {
  throw new AppError('unauthenticated', 'This is not the token of a worker, or it was ended.')
}

/**
 * Renews the lease.
 * @throws `conflict` for a lost job, `busy` when another node has it
 */
export async function requireHeld(
  { jobs, remote }: Pick<AppDeps, 'jobs' | 'remote'>,
  { worker, jobId, attempt }: { worker: KnownWorker; jobId: number; attempt: number },
): Promise<HeldTask> {
  const task = remote.held.get(jobId)
  if (task?.workerId === worker.id && task.job.attempt === attempt) {
    task.renew()
    return task
  }
  if (!(await jobs.isElsewhere({ jobId, attempt, workerId: worker.id }))) throw notHeld()
  throw new AppError('busy', 'Another part of the site has that job. Ask again.', {
    retryAfterSeconds: 1,
  })
}

export function hashWorkerToken(token: string): string {
  return digestOf(token)
}
