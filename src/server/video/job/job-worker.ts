import { timestamp } from '#server/platform/db/database.ts'
import { makeClipFiles } from '../clip/clip-job.ts'
import { cutRecording } from '../cut/cut-job.ts'
import { makeMontageVideo } from '../montage/montage-job.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { chooseEncoder } from '../processing/tasks/choose-encoder.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { createRemoteWork, type RemoteLimits } from '../worker/remote-work.ts'
import { type ClaimedJob, updateClaimedJob } from './job.queries.ts'
import { type Log, runAttempt } from './job-attempt.ts'
import { JOB_KINDS, type JobKind, WORKER_KINDS } from './job-kinds.ts'
import { claimNextJob, type DueJob, findNextDueTime, listRunningJobs } from './job-queue.queries.ts'
import {
  JOB_LIMITS,
  JOB_PAUSES,
  type JobDeps,
  type JobLimits,
  type JobPauses,
  type JobRun,
} from './job-run.ts'
import { settleInterruptedJob } from './job-settlement.ts'
import { listJobSpeeds } from './job-speed.queries.ts'
import { chooseTaker, type JobTaker } from './job-taker.ts'
import { makeLadderOfVideo } from './ladder-job.ts'
import { transcodeVideo } from './transcode-job.ts'
import { listWorkOwners } from './work.queries.ts'

const LONGEST_SLEEP_MS = 60_000

const isOnlyForServer = (kind: JobKind) => !WORKER_KINDS.includes(kind)

type WorkerDeps = Omit<JobDeps, 'jobLimits'> & {
  concurrency: number
  log: Log
  jobLimits?: JobLimits
  pauses?: JobPauses
  remoteLimits?: Partial<RemoteLimits>
  /** Finds out, once, what encodes pictures on this machine. */
  findEncoder?: () => Promise<EncoderName>
}

type Claim = { job: ClaimedJob; taker: JobTaker }
type Running = Claim & { abort: AbortController; done: Promise<void> }

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
    ...{ jobLimits: JOB_LIMITS, pauses: JOB_PAUSES },
    findEncoder: () => chooseEncoder(),
    ...given,
  }
  const { db, live, concurrency, log, pauses } = deps
  const running = new Map<number, Running>()
  /** Workers that asked for a job. */
  const waiting = new Set<JobTaker>()
  const remote = createRemoteWork(deps.remoteLimits)
  const { leaseMs } = remote
  const ownKinds = concurrency > 0 ? JOB_KINDS : JOB_KINDS.filter(isOnlyForServer)
  const ownPlaces = ownKinds.length > 0 ? Math.max(concurrency, 1) : 0
  let timer: NodeJS.Timeout | undefined
  let filling: Promise<unknown> | undefined
  let started = false
  let isReady = false
  let encoder: EncoderName = 'libx264'

  const own = (): JobTaker => ({
    name: 'the server',
    workerId: null,
    kinds: ownKinds,
    maxHeight: Number.MAX_SAFE_INTEGER,
    avoids: new Set(),
    encoder,
    begin: () => runMediaTask,
    end: async () => {},
  })

  function listTakers(): JobTaker[] {
    const busy = [...running.values()].filter(({ taker }) => taker.workerId === null).length
    return [...(busy < ownPlaces ? [own()] : []), ...waiting]
  }

  /** Starts jobs until all places are taken or none is due. @returns whether there was one */
  async function fill(): Promise<boolean> {
    for (let count = 0; ; count++) {
      const takers = started ? listTakers() : []
      if (takers.length === 0) return count > 0
      const next = await claimFor(takers)
      if (!next) {
        await sleepUntilDue()
        return count > 0
      }
      begin(next)
    }
  }

  async function claimFor(takers: JobTaker[]): Promise<Claim | undefined> {
    // Who is alone need not be compared.
    const speeds = takers.length > 1 ? await listJobSpeeds(db) : new Map()
    let taker: JobTaker | undefined
    const job = await claimNextJob(db, takers, (due) => {
      taker = chooseTaker(takers, { job: due, speeds })
      const workerId = taker?.workerId ?? null
      const leaseUntil = workerId === null ? null : timestamp(new Date(Date.now() + leaseMs))
      return { workerId, leaseUntil }
    })
    return job && taker && { job, taker }
  }

  function begin({ job, taker }: Claim): void {
    waiting.delete(taker)
    const abort = new AbortController()
    const attempt = { job, taker, signal: abort.signal, isStopping: () => !started }
    const done = runAttempt(deps, attempt, performJob).finally(() => {
      running.delete(job.id)
      wake(job.videoId)
    })
    running.set(job.id, { job, taker, abort, done })
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
    look(() => announce(videoId))
  }

  function look(afterwards: (took: boolean) => Promise<void>): void {
    const before = filling ?? Promise.resolve()
    filling = before
      .then(fill)
      .then(afterwards)
      .catch((error) => {
        log.warn({ err: error }, 'the job queue could not be read')
        if (started) timer = setTimeout(() => wake(), pauses.failedMs)
      })
  }

  return {
    wake,

    isStarted: () => started,
    /** It is known again which jobs workers have. */
    isReady: () => isReady,
    countRunning: () => running.size,

    /** What encodes pictures here; known once the worker was started. */
    encoder: (): EncoderName => encoder,

    /** Whether the server does the kinds of jobs that workers do. */
    preparesItself: concurrency > 0,

    /** Whether a machine that is there, this one or a worker, does such jobs. */
    hasTaker: (job: Pick<DueJob, 'kind' | 'shortSide'>): boolean =>
      ownKinds.includes(job.kind) || remote.present.take(job),

    remote,

    /** Lets a worker wait for a job until `signal` aborts; its `begin` is called when there is one. */
    offer(taker: JobTaker, signal: AbortSignal): void {
      if (!started || signal.aborted) return
      waiting.add(taker)
      signal.addEventListener('abort', () => waiting.delete(taker))
      look(async (took) => (took ? announce() : undefined))
    },

    /** Requeues what an earlier process left running, but for what workers have still, and begins. */
    async start(): Promise<void> {
      encoder = await deps.findEncoder()
      log.info({ encoder }, 'pictures are encoded with this')
      started = true
      for (const job of await listRunningJobs(db)) {
        const taker = await findHolder(job)
        if (taker) begin({ job, taker })
        else await settleInterruptedJob(db, { job, pauses })
      }
      isReady = true
      wake()
    },

    /** Kills the work on a video that is going away, and waits until nothing writes any more. */
    async cancel(videoId: number): Promise<void> {
      const found = [...running.values()].filter(({ job }) => job.videoId === videoId)
      for (const { abort } of found) abort.abort()
      await Promise.all(found.map(({ done }) => done))
      await announce(videoId)
    },

    /** Gives a worker no further jobs, and none for which it waits already. */
    withdraw(workerId: number): void {
      for (const taker of waiting) if (taker.workerId === workerId) waiting.delete(taker)
      remote.present.forget(workerId)
    },

    /** Gives up what a worker has, as when it is ended. */
    async takeBack(workerId: number): Promise<void> {
      const found = [...running.values()].filter(({ taker }) => taker.workerId === workerId)
      for (const { abort } of found) abort.abort()
      await Promise.all(found.map(({ done }) => done))
    },

    /**
     * Puts running jobs back into the queue and waits for their processes to end. Workers keep theirs, for
     * as long as a lease.
     */
    async stop(): Promise<void> {
      started = false
      clearTimeout(timer)
      await filling
      for (const { job, taker, abort } of running.values()) {
        const leaseUntil = timestamp(new Date(Date.now() + leaseMs))
        if (taker.workerId !== null) await updateClaimedJob(db, { job, change: { leaseUntil } })
        abort.abort()
      }
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }

  /** The worker that has a job that an earlier process gave out, if its lease is not over. */
  async function findHolder(
    job: Awaited<ReturnType<typeof listRunningJobs>>[number],
  ): Promise<JobTaker | undefined> {
    const { workerId, leaseUntil } = job
    if (workerId === null || leaseUntil === null || leaseUntil <= timestamp()) return undefined
    const { makeAdoptingTaker } = await import('../worker/remote-taker.ts')
    return makeAdoptingTaker({ db, remote }, { workerId, leaseUntil })
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
