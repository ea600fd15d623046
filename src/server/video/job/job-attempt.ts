import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { MediaInterruptedError } from '../processing/media-errors.ts'
import type { MediaProgress } from '../processing/tasks/media-task.ts'
import { type ClaimedJob, updateClaimedJob } from './job.queries.ts'
import { insertJobLog } from './job-log.queries.ts'
import { makePace } from './job-pace.ts'
import type { JobDeps, JobHandlers, JobPauses } from './job-run.ts'
import type { JobRunner } from './job-runner.ts'
import { describeFailure, settleJob } from './job-settlement.ts'
import { listVideoOwner } from './work.queries.ts'

const PROGRESS_INTERVAL_MS = 500

export type Log = Record<'info' | 'warn', (details: object, message: string) => void>

type AttemptDeps = JobDeps & { log: Log; pauses: JobPauses; jobHandlers: JobHandlers }

type Attempt = {
  job: ClaimedJob
  runner: JobRunner
  signal: AbortSignal
  /** Called at shutdown; jobs on workers continue. */
  isStopping: () => boolean
}

export async function runAttempt(
  deps: AttemptDeps,
  { job, runner, signal, isStopping }: Attempt,
): Promise<void> {
  const { log } = deps
  const onProgress = reportProgress(deps, job)
  try {
    const runTask = runner.begin(job)
    // The hardware encoder may have failed.
    const encoder = job.failures === 0 ? runner.encoder : 'libx264'
    const where = runner.workerId === null ? '' : ` on ${runner.name}`
    await note(deps, job, `Attempt ${job.attempt} begins${where}, with ${encoder}.`)
    failpoint('job.claimed')
    await requireFreeSpace(deps)
    await deps.jobHandlers[job.kind](deps, { job, signal, onProgress, encoder, runTask })
    await note(deps, job, `Attempt ${job.attempt} is done.`)
    await runner.end(job, undefined)
  } catch (error) {
    await runner.end(job, error)
    if (isStopping() && runner.workerId !== null) return
    await note(deps, job, describeFailure(error))
    if (!(error instanceof MediaInterruptedError)) {
      log.warn({ err: error, job: job.id, video: job.videoId }, 'a job failed')
    }
    await recordOutcome(deps, { job, error, signal })
  }
}

function reportProgress(
  { db, live }: AttemptDeps,
  job: ClaimedJob,
): (progress: MediaProgress) => void {
  let shownAt = 0
  const paceOf = makePace()
  return (progress) => {
    if (Date.now() - shownAt < PROGRESS_INTERVAL_MS) return
    shownAt = Date.now()
    updateClaimedJob(db, { job, change: paceOf(progress) })
      .then(async () => live.announceWork(await listVideoOwner(db, job.videoId)))
      .catch(() => {})
  }
}

/** @throws `no-space` */
async function requireFreeSpace({ disk }: AttemptDeps): Promise<void> {
  if ((await disk.freeBytes()) > 0) return
  throw new AppError('no-space', 'There is no room left on the server.')
}

/** A failure to write does not fail the job. */
async function note({ db }: AttemptDeps, job: ClaimedJob, text: string): Promise<void> {
  await insertJobLog(db, job.id, text).catch(() => {})
}

/**
 * Repeated until written, as on a full disk: a job that stays `running` would never be claimed
 * again.
 */
async function recordOutcome(
  { db, log, pauses }: AttemptDeps,
  { job, error, signal }: Pick<Attempt, 'job' | 'signal'> & { error: unknown },
): Promise<void> {
  for (;;) {
    try {
      return await settleJob(db, { job, error, pauses })
    } catch (failure) {
      log.warn({ err: failure, job: job.id }, 'a failed job could not be recorded')
      if (signal.aborted) return
      await pause(pauses.failedMs, undefined, { signal }).catch(() => {})
    }
  }
}
