import { timestamp } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { chooseEncoder } from '../processing/choose-encoder.ts'
import type { EncoderName } from '../processing/encoder-name.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  UnplayableSourceError,
} from '../processing/media-errors.ts'
import type { MediaProgress } from '../processing/report.ts'
import { stopAt } from '../stop-at.ts'
import {
  type ClaimedJob,
  claimNextJob,
  findNextDueTime,
  listRunningJobs,
  updateClaimedJob,
  updateFailedVideo,
} from './job.queries.ts'
import { performJob } from './job-handlers.ts'
import { insertJobLog } from './job-log.queries.ts'
import { makePace } from './job-pace.ts'
import type { JobDeps } from './job-run.ts'
import { listVideoOwner, listWorkOwners } from './work.queries.ts'

const FAILURES_MAX = 3
const INTERRUPTIONS_PER_FAILURE = 10
const RETRY_PAUSE_MS = 10_000
const PROGRESS_INTERVAL_MS = 500
const LONGEST_SLEEP_MS = 60_000

const GIVE_UP_SENTENCE = 'This video could not be prepared for playing. Please upload it again.'

type Log = Record<'info' | 'warn', (details: object, message: string) => void>

export type JobWorker = ReturnType<typeof createJobWorker>

/**
 * Takes jobs from the queue, `concurrency` at a time, until it is stopped. Rows hold all of its
 * state, so that it goes on after a crash where it was.
 */
export function createJobWorker(deps: JobDeps & { concurrency: number; log: Log }) {
  const { db, live, concurrency, log } = deps
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

  /** All places in the queue may have changed; the owner of `videoId` is told even when it left the queue. */
  async function announce(videoId?: number): Promise<void> {
    live.announceWork(await listWorkOwners(db, videoId))
  }

  async function sleepUntilDue(): Promise<void> {
    const due = await findNextDueTime(db)
    if (due === undefined || !started) return
    const pause = Math.max(0, new Date(due).getTime() - Date.now())
    timer = setTimeout(() => wake(), Math.min(pause + 10, LONGEST_SLEEP_MS))
  }

  /** Looks for due jobs now; call it when one was added. The owner of `videoId` is told of it. */
  function wake(videoId?: number): void {
    if (!started) return
    clearTimeout(timer)
    const before = filling ?? Promise.resolve()
    filling = before
      .then(fill)
      .then(() => announce(videoId))
      .catch((error) => log.warn({ err: error }, 'the job queue could not be read'))
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
      await note(job, `Attempt ${job.attempt} begins.`)
      stopAt('job.claimed')
      // A card that failed once is not trusted with the same video again.
      const name = job.failures === 0 ? encoder : 'libx264'
      await performJob(deps, { job, signal, onProgress, encoder: name })
      await note(job, `Attempt ${job.attempt} is done.`)
    } catch (error) {
      await note(job, describeFailure(error))
      if (!(error instanceof MediaInterruptedError)) {
        log.warn({ err: error, job: job.id, video: job.videoId }, 'a job failed')
      }
      await settle(job, error).catch((failure) =>
        log.warn({ err: failure, job: job.id }, 'a failed job could not be recorded'),
      )
    }
  }

  /** For the admins; a job's log never stands in the way of the job. */
  async function note(job: ClaimedJob, text: string): Promise<void> {
    await insertJobLog(db, job.id, text).catch(() => {})
  }

  async function settle(job: ClaimedJob, error: unknown): Promise<void> {
    if (error instanceof MediaInterruptedError) return requeueInterrupted(job)
    if (error instanceof AppError && error.kind === 'no-space') {
      await updateClaimedJob(db, { job, change: { state: 'queued', runAfter: inMs(60_000) } })
      return
    }
    const hopeless = error instanceof UnplayableSourceError
    const failures = hopeless ? FAILURES_MAX : job.failures + 1
    await recordFailure(job, { failures, sentence: hopeless ? error.message : GIVE_UP_SENTENCE })
  }

  async function requeueInterrupted(job: ClaimedJob): Promise<void> {
    const interruptions = job.interruptions + 1
    if (interruptions < INTERRUPTIONS_PER_FAILURE) {
      await updateClaimedJob(db, { job, change: { state: 'queued', interruptions } })
      return
    }
    await recordFailure(job, { failures: job.failures + 1, sentence: GIVE_UP_SENTENCE })
  }

  async function recordFailure(
    job: ClaimedJob,
    input: { failures: number; sentence: string },
  ): Promise<void> {
    const { failures, sentence } = input
    const change = { failures, interruptions: 0, error: sentence }
    if (failures < FAILURES_MAX) {
      const runAfter = inMs(RETRY_PAUSE_MS * failures)
      await updateClaimedJob(db, { job, change: { ...change, state: 'queued', runAfter } })
      return
    }
    await db.transaction().execute(async (transaction) => {
      const finishedAt = timestamp()
      const failed = { ...change, state: 'failed' as const, finishedAt }
      if (!(await updateClaimedJob(transaction, { job, change: failed }))) return
      await updateFailedVideo(transaction, { id: job.videoId, processingError: sentence })
    })
  }

  return {
    wake,

    /** What encodes pictures here; known once the worker was started. */
    encoder: (): EncoderName => encoder,

    /** Requeues what an earlier process left running, and begins. */
    async start(): Promise<void> {
      for (const job of await listRunningJobs(db)) await requeueInterrupted(job)
      encoder = await chooseEncoder()
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

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const diagnostics = error instanceof MediaFailedError ? error.diagnostics : ''
  return `${error.name}: ${error.message}${diagnostics && `\n${diagnostics}`}`
}

function inMs(pause: number): string {
  return timestamp(new Date(Date.now() + pause))
}
