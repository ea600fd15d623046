import type { Database } from '#server/platform/db/database.ts'
import type { ClaimedJob } from '../job/job.queries.ts'
import { NoRoomThereError, RefusedResultError, SilentWorkerError } from '../job/job-errors.ts'
import { type JobKind, WORKER_KINDS } from '../job/job-kinds.ts'
import type { JobRunner, RunTask } from '../job/job-runner.ts'
import { type EncoderName, hardwareEncoders } from '../processing/encode/encoder-name.ts'
import { MediaFailedError } from '../processing/media-errors.ts'
import type {
  LadderResult,
  LadderTask,
  TranscodeResult,
  TranscodeTask,
} from '../processing/tasks/media-task.ts'
import type { RunOptions } from '../processing/tasks/run-media-task.ts'
import { type HeldTask, holdTask, type RemoteResult, type RemoteTask } from './held-task.ts'
import type { RemoteWork } from './remote-work.ts'
import {
  findWorker,
  updateWorkerError,
  updateWorkerFailure,
  updateWorkerSuccess,
} from './worker.queries.ts'

/** Refused results in a row that drain a worker. */
const REFUSALS_MAX = 3

type Deps = { db: Database; remote: RemoteWork }
type KnownWorker = { id: number; name: string; encoder: string | null }

/** `onBegin` with the job, `onTask` when its task is ready, `onEnd` at its end. */
export function createRemoteRunner(
  deps: Deps,
  input: {
    worker: KnownWorker
    kinds: readonly JobKind[]
    maxHeight: number
    onBegin?: () => void
    onTask?: (held: HeldTask) => void
    onEnd?: () => void
    leftMs?: number
  },
): JobRunner {
  const { remote } = deps
  const { worker, kinds, maxHeight, onBegin, onTask, onEnd, leftMs } = input
  return {
    name: worker.name,
    workerId: worker.id,
    kinds,
    maxHeight,
    get avoids() {
      return remote.avoided.of(worker.id)
    },
    encoder: readEncoder(worker.encoder),
    begin(job) {
      onBegin?.()
      return runRemotely(deps, { job, workerId: worker.id, onTask, leftMs })
    },
    async end(job, error) {
      onEnd?.()
      await recordEnd(deps, { job, workerId: worker.id, error }).catch(() => {})
    },
  }
}

/**
 * Keeps the rest of the job's lease, at least the time to reconnect.
 * @param input.restMs of the lease
 * @returns undefined when the worker was removed
 */
export async function createAdoptingRunner(
  deps: Deps,
  { workerId, restMs }: { workerId: number; restMs: number },
): Promise<JobRunner | undefined> {
  const worker = await findWorker(deps.db, workerId)
  if (!worker) return undefined
  const { leaseMs, findAgainMs } = deps.remote
  const leftMs = Math.min(Math.max(restMs, findAgainMs), leaseMs)
  const maxHeight = Number.MAX_SAFE_INTEGER
  // Real limits come with its next claim.
  if (worker.drainedAt === null) {
    deps.remote.present.note(workerId, { kinds: WORKER_KINDS, maxHeight })
  }
  return createRemoteRunner(deps, { worker, kinds: WORKER_KINDS, maxHeight, leftMs })
}

function runRemotely(
  { db, remote }: Deps,
  input: {
    job: ClaimedJob
    workerId: number
    onTask: ((held: HeldTask) => void) | undefined
    leftMs: number | undefined
  },
): RunTask {
  const { job, workerId, onTask, leftMs } = input
  function runTask(task: TranscodeTask, options: RunOptions): Promise<TranscodeResult>
  function runTask(task: LadderTask, options: RunOptions): Promise<LadderResult>
  function runTask(task: RemoteTask, options: RunOptions): Promise<RemoteResult> {
    const result = holdTask({ db, ...remote }, { job, workerId, task, options, leftMs })
    const held = remote.held.get(job.id)
    if (held) onTask?.(held)
    return result
  }
  return runTask
}

/** Cancelled or returned jobs are no failure of the worker. */
async function recordEnd(
  { db, remote }: Deps,
  { job, workerId, error }: { job: ClaimedJob; workerId: number; error: unknown },
): Promise<void> {
  if (error === undefined) return updateWorkerSuccess(db, workerId)
  if (error instanceof NoRoomThereError) {
    remote.avoided.add(workerId, job.id)
    return updateWorkerError(db, { id: workerId, error: error.message })
  }
  const isRefused = error instanceof RefusedResultError
  if (!isRefused && !(error instanceof MediaFailedError) && !(error instanceof SilentWorkerError)) {
    return
  }
  if (isRefused) remote.avoided.add(workerId, job.id)
  const reason = (error instanceof MediaFailedError && error.diagnostics.trim()) || error.message
  const text = isRefused ? `Refused: ${reason}` : reason
  await updateWorkerFailure(db, { id: workerId, error: text, isRefused, drainAfter: REFUSALS_MAX })
}

function readEncoder(name: string | null): EncoderName {
  return hardwareEncoders.find((known) => known === name) ?? 'libx264'
}
