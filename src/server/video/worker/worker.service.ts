import { randomBytes } from 'node:crypto'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { WORKERS_MAX, type Worker } from '#shared/schemas/desk/worker.schemas.ts'
import { WORKER_KINDS } from '../job/job-kinds.ts'
import { speedKey } from '../job/job-runner.ts'
import { listJobSpeeds } from '../job/job-speed.queries.ts'
import { HERE_MS } from './present-workers.ts'
import { hashWorkerToken } from './worker.access.ts'
import {
  countJobsOfWorkers,
  countWorkers,
  deleteWorker,
  insertWorker,
  listWorkers,
  updateDrained,
} from './worker.queries.ts'

/** For people and secret scanners. */
const PREFIX = 'clutch_worker_'

type Deps = Pick<AppDeps, 'db' | 'jobs'>

export async function readWorkers({
  db,
  jobs,
}: Deps): Promise<{ serverPrepares: boolean; workers: Worker[] }> {
  const speeds = await listJobSpeeds(db)
  const running = await countJobsOfWorkers(db)
  const workers = (await listWorkers(db)).map((row): Worker => {
    const seenAt = row.lastSeenAt === null ? Number.NaN : Date.parse(row.lastSeenAt)
    return {
      ...row,
      isHere: Math.abs(Date.now() - seenAt) < HERE_MS,
      jobsRunning: running.get(row.id) ?? 0,
      speeds: WORKER_KINDS.flatMap((kind) => {
        const speed = speeds.get(speedKey(row.id, kind))
        return speed === undefined ? [] : [{ kind, speed }]
      }),
    }
  })
  return { serverPrepares: jobs.preparesItself, workers }
}

/**
 * 256 random bits, stored as a digest.
 * @throws `conflict` at 50 workers
 */
export async function createWorker(
  { db }: Deps,
  { name, viewer }: { name: string; viewer: Viewer },
): Promise<{ id: number; name: string; token: string }> {
  const token = PREFIX + randomBytes(32).toString('base64url')
  const tokenHash = hashWorkerToken(token)
  const { id } = await inTransaction(db, async (transaction) => {
    if ((await countWorkers(transaction)) >= WORKERS_MAX) {
      throw new AppError('conflict', `There are ${WORKERS_MAX} workers. End one of them first.`)
    }
    return insertWorker(transaction, { name, tokenHash, createdBy: viewer.id })
  })
  await recordAct({ db }, { id, name, viewer, action: 'worker.create' })
  return { id, name, token }
}

export async function drainWorker(
  { db, jobs }: Deps,
  { id, drained, viewer }: { id: number; drained: boolean; viewer: Viewer },
): Promise<void> {
  const found = await updateDrained(db, { id, drainedAt: drained ? timestamp() : null })
  if (!found) throw noWorker()
  if (drained) jobs.withdraw(id)
  const action = drained ? 'worker.drain' : 'worker.resume'
  await recordAct({ db }, { id, name: found.name, viewer, action })
}

/** Requeues its jobs. */
export async function endWorker(
  { db, jobs }: Deps,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  const found = await deleteWorker(db, id)
  if (!found) throw noWorker()
  jobs.withdraw(id)
  await recordAct({ db }, { id, name: found.name, viewer, action: 'worker.end' })
  await jobs.takeBack(id)
}

function noWorker(): AppError {
  return new AppError('not-found', 'There is no such worker.')
}

async function recordAct(
  { db }: Pick<Deps, 'db'>,
  input: {
    id: number
    name: string
    viewer: Viewer
    action: 'worker.create' | 'worker.drain' | 'worker.resume' | 'worker.end'
  },
): Promise<void> {
  const { id, name, viewer, action } = input
  await insertAuditEntry(db, { actor: viewer, action, target: { kind: 'site', id, name } })
}
