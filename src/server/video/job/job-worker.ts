import { lineOf } from '#server/platform/db/engine.ts'
import type { Message } from '#server/platform/db/line.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { chooseEncoder } from '../processing/tasks/choose-encoder.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { createRemoteWork, type RemoteLimits } from '../worker/remote-work.ts'
import { type Log, runAttempt } from './job-attempt.ts'
import { JOB_KINDS, type JobKind, WORKER_KINDS } from './job-kinds.ts'
import { type Claim, createLeases, type Running } from './job-leases.ts'
import { claimNextJob, type DueJob, findNextDueTime } from './job-queue.queries.ts'
import { JOB_LIMITS, JOB_PAUSES, type JobDeps, type JobLimits, type JobPauses } from './job-run.ts'
import { listJobSpeeds } from './job-speed.queries.ts'
import { chooseTaker, type JobTaker } from './job-taker.ts'
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
  const line = lineOf(db)
  const running = new Set<Running>()
  /** Workers that asked for a job. */
  const waiting = new Set<JobTaker>()
  const remote = createRemoteWork(deps.remoteLimits)
  const { leaseMs } = remote
  const leases = createLeases({ db, log, pauses, remote }, { running, begin, onKept: lookQuietly })
  const { nodeId } = leases
  const ownKinds = concurrency > 0 ? JOB_KINDS : JOB_KINDS.filter(isOnlyForServer)
  const ownPlaces = ownKinds.length > 0 ? Math.max(concurrency, 1) : 0
  let timer: NodeJS.Timeout | undefined
  let filling: Promise<unknown> | undefined
  let stopHearing = () => {}
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
    const busy = [...running].filter(({ taker }) => taker.workerId === null).length
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
      return { workerId, nodeId, leaseMs: workerId === null && nodeId === null ? null : leaseMs }
    })
    return job && taker && { job, taker }
  }

  function begin({ job, taker }: Claim): void {
    waiting.delete(taker)
    const abort = new AbortController()
    const attempt = { job, taker, signal: abort.signal, isStopping: () => !started }
    const done = runAttempt(deps, attempt).finally(() => {
      running.delete(work)
      wake(job.videoId)
    })
    const work: Running = { job, taker, abort, done, renewedAt: performance.now() }
    running.add(work)
  }

  /** @returns what ends with it */
  function abortWhere(isMeant: (work: Running) => boolean): Promise<unknown> {
    const found = [...running].filter(isMeant)
    for (const { abort } of found) abort.abort()
    return Promise.all(found.map(({ done }) => done))
  }

  /** All places in the queue may have changed; the owner of `videoId` is notified even when it left the queue. */
  async function announce(videoId?: number): Promise<void> {
    live.announceWork(await listWorkOwners(db, videoId))
  }

  async function sleepUntilDue(): Promise<void> {
    const due = await findNextDueTime(db)
    if (due === undefined || !started) return
    const dueInMs = Math.max(0, new Date(due).getTime() - Date.now())
    clearTimeout(timer)
    timer = setTimeout(() => wakeHere(), Math.min(dueInMs + 10, LONGEST_SLEEP_MS))
  }

  /** Looks for due jobs now; call it when one was added. The owner of `videoId` is notified of it. */
  function wake(videoId?: number): void {
    tell({ topic: 'jobs' })
    wakeHere(videoId)
  }

  function wakeHere(videoId?: number): void {
    if (!started) return
    clearTimeout(timer)
    look(() => announce(videoId))
  }

  /** Whoever does not hear of it finds out when it next renews its leases. */
  function tell(message: Message): void {
    line.tell(message).catch(() => {})
  }

  /** Looks for due jobs; places in the queue changed if there was one. */
  function lookQuietly(): void {
    look(async (took) => (took ? announce() : undefined))
  }

  function hear(message: Message): void {
    if (message.topic === 'jobs') lookQuietly()
    if (message.topic === 'cancel') abortWhere(({ job }) => job.videoId === message.videoId)
    if (message.topic === 'worker') {
      withdrawHere(message.workerId)
      if (message.takesBack) abortWhere(({ taker }) => taker.workerId === message.workerId)
    }
  }

  /** Others may have drained workers, or taken jobs back, meanwhile: workers ask again. */
  function catchUp(): void {
    waiting.clear()
    leases.keep()
  }

  function withdrawHere(workerId: number): void {
    for (const taker of waiting) if (taker.workerId === workerId) waiting.delete(taker)
    remote.present.forget(workerId)
  }

  function look(afterwards: (took: boolean) => Promise<void>): void {
    const before = filling ?? Promise.resolve()
    filling = before
      .then(fill)
      .then(afterwards)
      .catch((error) => {
        log.warn({ err: error }, 'the job queue could not be read')
        if (started) timer = setTimeout(() => wakeHere(), pauses.failedMs)
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
      lookQuietly()
    },

    /** As `isElsewhere` of the leases. */
    isElsewhere: leases.isElsewhere,

    /** Requeues what an earlier process left running, but for what workers have still, and begins. */
    async start(): Promise<void> {
      encoder = await deps.findEncoder()
      log.info({ encoder }, 'pictures are encoded with this')
      started = true
      await leases.start()
      const ends = [line.listen(hear), line.listenForGaps(catchUp)]
      stopHearing = () => {
        for (const end of ends) end()
      }
      isReady = true
      wake()
    },

    /**
     * Kills the work on a video that is going away, and waits until nothing here writes any more. Of other nodes nobody waits: what
     * they still publish is refused.
     */
    async cancel(videoId: number): Promise<void> {
      tell({ topic: 'cancel', videoId })
      await abortWhere(({ job }) => job.videoId === videoId)
      await announce(videoId)
    },

    /** Gives a worker no further jobs, and none for which it waits already. */
    withdraw(workerId: number): void {
      tell({ topic: 'worker', workerId, takesBack: false })
      withdrawHere(workerId)
    },

    /** Gives up what a worker has, as when it is ended. */
    async takeBack(workerId: number): Promise<void> {
      tell({ topic: 'worker', workerId, takesBack: true })
      await abortWhere(({ taker }) => taker.workerId === workerId)
    },

    /**
     * Puts running jobs back into the queue and waits for their processes to end. Workers keep theirs, for
     * as long as a lease, and whichever process they ask then has them.
     */
    async stop(): Promise<void> {
      started = false
      isReady = false
      stopHearing()
      clearTimeout(timer)
      await filling
      await leases.stop()
      const given = [...running].filter(({ taker }) => taker.workerId !== null)
      const isTold = ({ job }: Running) => remote.held.has(job.id)
      const untold = given.filter((work) => !isTold(work))
      await leases.leaveToWorkers(given.filter(isTold))
      await abortWhere(() => true)
      await leases.handBack(untold)
      tell({ topic: 'jobs' })
    },
  }
}
