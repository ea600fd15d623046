import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { makeClipFiles } from '../clip/clip-job.ts'
import { cutRecording } from '../cut/cut-job.ts'
import { makeMontageVideo } from '../montage/montage-job.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { MediaInterruptedError } from '../processing/media-errors.ts'
import { chooseEncoder } from '../processing/tasks/choose-encoder.ts'
import type { MediaProgress } from '../processing/tasks/media-task.ts'
import {
  type ClaimedJob,
  claimNextJob,
  findNextDueTime,
  listRunningJobs,
  updateClaimedJob,
} from './job.queries.ts'
import { insertJobLog } from './job-log.queries.ts'
import { makePace } from './job-pace.ts'
import {
  JOB_LIMITS,
  JOB_PAUSES,
  type JobDeps,
  type JobLimits,
  type JobPauses,
  type JobRun,
} from './job-run.ts'
import { describeFailure, settleInterruptedJob, settleJob } from './job-settlement.ts'
import { makeLadderOfVideo } from './ladder-job.ts'
import { transcodeVideo } from './transcode-job.ts'
import { listVideoOwner, listWorkOwners } from './work.queries.ts'

const PROGRESS_INTERVAL_MS = 500
const LONGEST_SLEEP_MS = 60_000

type Log = Record<'info' | 'warn', (details: object, message: string) => void>

type WorkerDeps = Omit<JobDeps, 'jobLimits'> & {
  concurrency: number
  log: Log
  jobLimits?: JobLimits
  pauses?: JobPauses
  /** Finds out, once, what encodes pictures on this machine. */
  findEncoder?: () => Promise<EncoderName>
}

type JobWorker = ReturnType<typeof createJobWorker>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    jobs: JobWorker
  }
}

/**
 * Takes jobs from the queue, `concurrency` at a time, until it is stopped. Rows hold all of its
 * state, so that it goes on after a crash where it was.
 */
export function createJobWorker(given: WorkerDeps) {
  const deps = {
    ...{ jobLimits: JOB_LIMITS, pauses: JOB_PAUSES, findEncoder: () => chooseEncoder() },
    ...given,
  }
  const { db, media, live, concurrency, log, pauses } = deps
  const running = new Map<
    number,
    { job: ClaimedJob; abort: AbortController; done: Promise<void> }
  >()
  let timer: NodeJS.Timeout | undefined
  let filling: Promise<void> | undefined
  let started = false
  let encoder: EncoderName = 'libx264'

  /** Starts jobs until all places are taken or none is due. */
  async function fill(): Promise<void> {
    while (started && running.size < concurrency) {
      const job = await claimNextJob(db)
      if (!job) break
      const abort = new AbortController()
      const done = run(job, abort.signal).finally(() => {
        running.delete(job.id)
        wake(job.videoId)
      })
      running.set(job.id, { job, abort, done })
    }
    if (started && running.size < concurrency) await sleepUntilDue()
  }

  /** All places in the queue may have changed; the owner of `videoId` is notified even when it left the queue. */
  async function announce(videoId?: number): Promise<void> {
    live.announceWork(await listWorkOwners(db, videoId))
  }

  async function sleepUntilDue(): Promise<void> {
    const due = await findNextDueTime(db)
    if (due === undefined || !started) return
    const dueInMs = Math.max(0, new Date(due).getTime() - Date.now())
    timer = setTimeout(() => wake(), Math.min(dueInMs + 10, LONGEST_SLEEP_MS))
  }

  /** Looks for due jobs now; call it when one was added. The owner of `videoId` is notified of it. */
  function wake(videoId?: number): void {
    if (!started) return
    clearTimeout(timer)
    const before = filling ?? Promise.resolve()
    filling = before
      .then(fill)
      .then(() => announce(videoId))
      .catch((error) => {
        log.warn({ err: error }, 'the job queue could not be read')
        if (started) timer = setTimeout(() => wake(), pauses.failedMs)
      })
  }

  async function run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    let shownAt = 0
    const paceOf = makePace()
    const onProgress = (progress: MediaProgress) => {
      if (Date.now() - shownAt < PROGRESS_INTERVAL_MS) return
      shownAt = Date.now()
      updateClaimedJob(db, { job, change: paceOf(progress) })
        .then(async () => live.announceWork(await listVideoOwner(db, job.videoId)))
        .catch(() => {})
    }
    try {
      // A card that failed once is not trusted with the same video again.
      const name = job.failures === 0 ? encoder : 'libx264'
      await note(job, `Attempt ${job.attempt} begins, with ${name}.`)
      failpoint('job.claimed')
      await requireFreeSpace()
      await performJob(deps, { job, signal, onProgress, encoder: name })
      await note(job, `Attempt ${job.attempt} is done.`)
    } catch (error) {
      await note(job, describeFailure(error))
      if (!(error instanceof MediaInterruptedError)) {
        log.warn({ err: error, job: job.id, video: job.videoId }, 'a job failed')
      }
      await settle(job, error, signal)
    }
  }

  /** Work that could not be finished is not begun. @throws AppError `no-space` */
  async function requireFreeSpace(): Promise<void> {
    if ((await media.freeBytes()) > 0) return
    throw new AppError('no-space', 'There is no room left on the server.')
  }

  /** For the admins; a job's log never stands in the way of the job. */
  async function note(job: ClaimedJob, text: string): Promise<void> {
    await insertJobLog(db, job.id, text).catch(() => {})
  }

  /** What cannot be written down for want of room is written later: no start takes a job that seems to run. */
  async function settle(job: ClaimedJob, error: unknown, signal: AbortSignal): Promise<void> {
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

  return {
    wake,

    isStarted: () => started,
    countRunning: () => running.size,

    /** What encodes pictures here; known once the worker was started. */
    encoder: (): EncoderName => encoder,

    /** Requeues what an earlier process left running, and begins. */
    async start(): Promise<void> {
      for (const job of await listRunningJobs(db)) await settleInterruptedJob(db, { job, pauses })
      encoder = await deps.findEncoder()
      log.info({ encoder }, 'pictures are encoded with this')
      started = true
      wake()
    },

    /** Kills the work on a video that is going away, and waits until nothing writes any more. */
    async cancel(videoId: number): Promise<void> {
      const found = [...running.values()].filter(({ job }) => job.videoId === videoId)
      for (const { abort } of found) abort.abort()
      await Promise.all(found.map(({ done }) => done))
      await announce(videoId)
    },

    /** Puts running jobs back into the queue and waits for their processes to end. */
    async stop(): Promise<void> {
      started = false
      clearTimeout(timer)
      await filling
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
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
