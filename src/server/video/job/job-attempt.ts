import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { makeClipFiles } from '../clip/clip-job.ts'
import { cutRecording } from '../cut/cut-job.ts'
import { makeMontageVideo } from '../montage/montage-job.ts'
import { MediaInterruptedError } from '../processing/media-errors.ts'
import type { MediaProgress } from '../processing/tasks/media-task.ts'
import { type ClaimedJob, updateClaimedJob } from './job.queries.ts'
import { insertJobLog } from './job-log.queries.ts'
import { makePace } from './job-pace.ts'
import type { JobDeps, JobPauses, JobRun } from './job-run.ts'
import type { JobRunner } from './job-runner.ts'
import { describeFailure, settleJob } from './job-settlement.ts'
import { makeLadderOfVideo } from './ladder-job.ts'
import { transcodeVideo } from './transcode-job.ts'
import { listVideoOwner } from './work.queries.ts'

const PROGRESS_INTERVAL_MS = 500

export type Log = Record<'info' | 'warn', (details: object, message: string) => void>

type AttemptDeps = JobDeps & { log: Log; pauses: JobPauses }

type Attempt = {
  job: ClaimedJob
  runner: JobRunner
  signal: AbortSignal
  /** The server stops: a worker goes on meanwhile. */
  isStopping: () => boolean
}

/** Does the work of a job once, here or on a worker, and records what became of it. */
export async function runAttempt(
  deps: AttemptDeps,
  { job, runner, signal, isStopping }: Attempt,
): Promise<void> {
  const { log } = deps
  const onProgress = reportProgress(deps, job)
  try {
    const runTask = runner.begin(job)
    // A card that failed once is not trusted with the same video again.
    const encoder = job.failures === 0 ? runner.encoder : 'libx264'
    const place = runner.workerId === null ? '' : ` on ${runner.name}`
    await note(deps, job, `Attempt ${job.attempt} begins${place}, with ${encoder}.`)
    failpoint('job.claimed')
    await requireFreeSpace(deps)
    await performJob(deps, { job, signal, onProgress, encoder, runTask })
    await note(deps, job, `Attempt ${job.attempt} is done.`)
    await runner.end(job, undefined)
  } catch (error) {
    await runner.end(job, error)
    if (isStopping() && runner.workerId !== null) return
    await note(deps, job, describeFailure(error))
    if (!(error instanceof MediaInterruptedError)) {
      log.warn({ err: error, job: job.id, video: job.videoId }, 'a job failed')
    }
    await settle(deps, { job, error, signal })
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

/** Work that could not be finished is not begun. @throws AppError `no-space` */
async function requireFreeSpace({ disk }: AttemptDeps): Promise<void> {
  if ((await disk.freeBytes()) > 0) return
  throw new AppError('no-space', 'There is no room left on the server.')
}

/** For the admins; a job's log never stands in the way of the job. */
async function note({ db }: AttemptDeps, job: ClaimedJob, text: string): Promise<void> {
  await insertJobLog(db, job.id, text).catch(() => {})
}

/** What cannot be written down for want of room is written later: no start takes a job that seems to run. */
async function settle(
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

/** Does the work of a job and records its result, unless another attempt has the job by then. */
async function performJob(deps: JobDeps, run: JobRun): Promise<void> {
  switch (run.job.kind) {
    case 'transcode':
      return transcodeVideo(deps, run)
    case 'ladder':
      return makeLadderOfVideo(deps, run)
    case 'cut':
      return cutRecording(deps, run)
    case 'clip':
      return makeClipFiles(deps, run)
    case 'montage':
      return makeMontageVideo(deps, run)
  }
}
