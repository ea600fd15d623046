import { busOf } from '#server/platform/cluster/cluster.ts'
import type { Message } from '#server/platform/cluster/message-bus.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { chooseEncoder } from '../processing/tasks/choose-encoder.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { type Log, runAttempt } from './job-attempt.ts'
import { JOB_KINDS, type JobKind, WORKER_KINDS } from './job-kinds.ts'
import { type Claim, createLeases, type Running } from './job-leases.ts'
import { claimNextJob, type DueJob, findNextDueTime } from './job-queue.queries.ts'
import {
  JOB_LIMITS,
  JOB_PAUSES,
  type JobDeps,
  type JobHandlers,
  type JobLimits,
  type JobPauses,
} from './job-run.ts'
import { chooseRunner, type JobRunner } from './job-runner.ts'
import { listJobSpeeds } from './job-speed.queries.ts'
import type { RemoteRunners } from './remote-runners.ts'
import { listWorkOwners } from './work.queries.ts'

const LONGEST_SLEEP_MS = 60_000

const isOnlyForServer = (kind: JobKind) => !WORKER_KINDS.includes(kind)

type WorkerDeps = Omit<JobDeps, 'jobLimits'> & {
  jobHandlers: JobHandlers
  remote: RemoteRunners
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
    jobHandlers: JobHandlers
  }
}

/** Runs jobs from the queue, `concurrency` at a time, until it is stopped. All of its state is in rows, so it survives a crash. */
export function createJobWorker(given: WorkerDeps) {
  const deps = {
    ...{ jobLimits: JOB_LIMITS, pauses: JOB_PAUSES },
    findEncoder: () => chooseEncoder(),
    ...given,
  }
  const { db, live, concurrency, log, pauses, remote } = deps
  const bus = busOf(db)
  const running = new Set<Running>()
  /** Workers that wait for a job. */
  const waiting = new Set<JobRunner>()
  const { leaseMs } = remote
  const leases = createLeases(
    { db, log, pauses, remote },
    { running, begin, onRenewed: pollQuietly },
  )
  const { holder: nodeId } = leases
  const ownKinds = concurrency > 0 ? JOB_KINDS : JOB_KINDS.filter(isOnlyForServer)
  const ownPlaces = ownKinds.length > 0 ? Math.max(concurrency, 1) : 0
  let timer: NodeJS.Timeout | undefined
  let filling: Promise<unknown> | undefined
  let unsubscribe = () => {}
  let started = false
  let isReady = false
  let encoder: EncoderName = 'libx264'

  const own = (): JobRunner => ({
    name: 'the server',
    workerId: null,
    kinds: ownKinds,
    maxHeight: Number.MAX_SAFE_INTEGER,
    avoids: new Set(),
    encoder,
    begin: () => runMediaTask,
    end: async () => {},
  })

  function listRunners(): JobRunner[] {
    const busy = [...running].filter(({ runner }) => runner.workerId === null).length
    return [...(busy < ownPlaces ? [own()] : []), ...waiting]
  }

  /** Starts jobs until all places are taken or none is due. @returns whether there was one */
  async function fill(): Promise<boolean> {
    for (let count = 0; ; count++) {
      const runners = started ? listRunners() : []
      if (runners.length === 0) return count > 0
      const next = await claimFor(runners)
      if (!next) {
        await sleepUntilDue()
        return count > 0
      }
      begin(next)
    }
  }

  async function claimFor(runners: JobRunner[]): Promise<Claim | undefined> {
    // A single candidate needs no comparison.
    const speeds = runners.length > 1 ? await listJobSpeeds(db) : new Map()
    let runner: JobRunner | undefined
    const job = await claimNextJob(db, runners, (due) => {
      runner = chooseRunner(runners, { job: due, speeds })
      const workerId = runner?.workerId ?? null
      return { workerId, nodeId, leaseMs: workerId === null && nodeId === null ? null : leaseMs }
    })
    return job && runner && { job, runner }
  }

  function begin({ job, runner }: Claim): void {
    waiting.delete(runner)
    const abort = new AbortController()
    const attempt = { job, runner, signal: abort.signal, isStopping: () => !started }
    const done = runAttempt(deps, attempt).finally(() => {
      running.delete(work)
      wake(job.videoId)
    })
    const work: Running = { job, runner, abort, done, renewedAt: performance.now() }
    running.add(work)
  }

  /** Resolves when the aborted work has ended. */
  function abortWhere(isMeant: (work: Running) => boolean): Promise<unknown> {
    const found = [...running].filter(isMeant)
    for (const { abort } of found) abort.abort()
    return Promise.all(found.map(({ done }) => done))
  }

  /** Notifies all owners in the queue, whose places may have changed, and the owner of `videoId`, which may have left it. */
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

  /** Polls the queue now; to be called after adding a job. Notifies the owner of `videoId`. */
  function wake(videoId?: number): void {
    publish({ topic: 'jobs' })
    wakeHere(videoId)
  }

  function wakeHere(videoId?: number): void {
    if (!started) return
    clearTimeout(timer)
    poll(() => announce(videoId))
  }

  /** A process that misses the message finds out at the next renewal of its leases. */
  function publish(message: Message): void {
    bus.publish(message).catch(() => {})
  }

  /** Polls the queue, and announces its places only when a job has started. */
  function pollQuietly(): void {
    poll(async (took) => (took ? announce() : undefined))
  }

  function receive(message: Message): void {
    if (message.topic === 'jobs') pollQuietly()
    if (message.topic === 'cancel') abortWhere(({ job }) => job.videoId === message.videoId)
    if (message.topic === 'worker') {
      withdrawHere(message.workerId)
      if (message.takesBack) abortWhere(({ runner }) => runner.workerId === message.workerId)
    }
  }

  /** Workers may have been drained, or jobs cancelled, by missed messages: waiting workers have to ask again. */
  function refresh(): void {
    waiting.clear()
    leases.renewLease()
  }

  function withdrawHere(workerId: number): void {
    for (const runner of waiting) if (runner.workerId === workerId) waiting.delete(runner)
    remote.present.forget(workerId)
  }

  function poll(afterwards: (took: boolean) => Promise<void>): void {
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
    /** The jobs of workers are known again. */
    isReady: () => isReady,
    countRunning: () => running.size,

    /** The encoder of this machine; final after the start. */
    encoder: (): EncoderName => encoder,

    /** Whether the server runs the kinds of jobs that workers run. */
    preparesItself: concurrency > 0,

    /** Whether this machine or a connected worker runs such jobs. */
    hasRunner: (job: Pick<DueJob, 'kind' | 'shortSide'>): boolean =>
      ownKinds.includes(job.kind) || remote.present.take(job),

    /** Queues a worker for a job until `signal` aborts; calls its `begin` with the job. */
    offer(runner: JobRunner, signal: AbortSignal): void {
      if (!started || signal.aborted) return
      waiting.add(runner)
      signal.addEventListener('abort', () => waiting.delete(runner))
      pollQuietly()
    },

    isElsewhere: leases.isElsewhere,

    /** Recovers the jobs that an earlier process left running, and begins. */
    async start(): Promise<void> {
      encoder = await deps.findEncoder()
      log.info({ encoder }, 'pictures are encoded with this')
      started = true
      await leases.start()
      const ends = [bus.onMessage(receive), bus.onReconnect(refresh)]
      unsubscribe = () => {
        for (const end of ends) end()
      }
      isReady = true
      wake()
    },

    /**
     * Aborts the jobs of a video that is being deleted. Resolves when this process has stopped writing; the results of other
     * nodes are refused.
     */
    async cancel(videoId: number): Promise<void> {
      publish({ topic: 'cancel', videoId })
      await abortWhere(({ job }) => job.videoId === videoId)
      await announce(videoId)
    },

    /** Gives a worker no further jobs; one that waits gets none either. */
    withdraw(workerId: number): void {
      publish({ topic: 'worker', workerId, takesBack: false })
      withdrawHere(workerId)
    },

    /** Aborts the jobs of a worker, such as one that is ended. */
    async takeBack(workerId: number): Promise<void> {
      publish({ topic: 'worker', workerId, takesBack: true })
      await abortWhere(({ runner }) => runner.workerId === workerId)
    },

    /**
     * Puts running jobs back into the queue and waits for their processes to end. Workers keep their jobs for the length of a
     * lease.
     */
    async stop(): Promise<void> {
      started = false
      isReady = false
      unsubscribe()
      clearTimeout(timer)
      await filling
      await leases.stop()
      const given = [...running].filter(({ runner }) => runner.workerId !== null)
      const isTold = ({ job }: Running) => remote.held.has(job.id)
      const untold = given.filter((work) => !isTold(work))
      await leases.leaveToWorkers(given.filter(isTold))
      await abortWhere(() => true)
      await leases.handBack(untold)
      publish({ topic: 'jobs' })
    },
  }
}
