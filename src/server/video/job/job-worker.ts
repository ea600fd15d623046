import { busOf } from '#server/platform/cluster/cluster.ts'
import type { Message } from '#server/platform/cluster/message-bus.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { chooseEncoder } from '../processing/tasks/choose-encoder.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { type Log, runAttempt } from './job-attempt.ts'
import { JOB_KINDS, type JobKind, WORKER_KINDS } from './job-kinds.ts'
import { createLeases } from './job-leases.ts'
import type { DueJob } from './job-queue.queries.ts'
import { createQueueLoop } from './job-queue-loop.ts'
import {
  JOB_LIMITS,
  JOB_PAUSES,
  type JobDeps,
  type JobHandlers,
  type JobLimits,
  type JobPauses,
} from './job-run.ts'
import type { JobRunner } from './job-runner.ts'
import type { RemoteRunners } from './remote-runners.ts'
import { createRunningJobs, type RunningJob } from './running-jobs.ts'
import { createWaitingRunners } from './waiting-runners.ts'
import { listWorkOwners } from './work.queries.ts'

const isOnlyForServer = (kind: JobKind) => !WORKER_KINDS.includes(kind)

type WorkerDeps = Omit<JobDeps, 'jobLimits'> & {
  jobHandlers: JobHandlers
  remote: RemoteRunners
  concurrency: number
  log: Log
  jobLimits?: JobLimits
  pauses?: JobPauses
  findEncoder?: () => Promise<EncoderName>
}

type JobWorker = ReturnType<typeof createJobWorker>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    jobs: JobWorker
    jobHandlers: JobHandlers
  }
}

/** `concurrency` jobs at a time until stopped. Its state is in rows: it survives a crash. */
export function createJobWorker(given: WorkerDeps) {
  const deps = {
    ...{ jobLimits: JOB_LIMITS, pauses: JOB_PAUSES },
    findEncoder: () => chooseEncoder(),
    ...given,
  }
  const { db, live, concurrency, log, pauses, remote } = deps
  const bus = busOf(db)
  const ownKinds = concurrency > 0 ? JOB_KINDS : JOB_KINDS.filter(isOnlyForServer)
  const ownPlaces = ownKinds.length > 0 ? Math.max(concurrency, 1) : 0
  let encoder: EncoderName = 'libx264'
  /** While the worker is ready. */
  let unsubscribe: (() => void) | undefined

  const running = createRunningJobs({
    run: (claim, signal) =>
      runAttempt(deps, { ...claim, signal, isStopping: () => !loop.isOpen() }),
    onEnd: ({ videoId }) => wake(videoId),
  })
  const waiting = createWaitingRunners()
  const leases = createLeases(
    { db, log, pauses, remote, running },
    { onRenewed: () => loop.poll() },
  )
  const loop = createQueueLoop(
    { db, log, nodeId: leases.holder, leaseMs: remote.leaseMs, retryMs: pauses.failedMs },
    {
      listRunners,
      begin(claim) {
        waiting.remove(claim.runner)
        running.begin(claim)
      },
      announce,
    },
  )

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
    const busy = running.list().filter(({ runner }) => runner.workerId === null).length
    return [...(busy < ownPlaces ? [own()] : []), ...waiting.list()]
  }

  async function announce(videoId?: number): Promise<void> {
    live.announceWork(await listWorkOwners(db, videoId))
  }

  /** After adding a job. Notifies the owner of `videoId`. */
  function wake(videoId?: number): void {
    publish({ topic: 'jobs' })
    loop.wake(videoId)
  }

  /** Missed messages are made up for when leases are renewed. */
  function publish(message: Message): void {
    bus.publish(message).catch(() => {})
  }

  function receive(message: Message): void {
    if (message.topic === 'jobs') loop.poll()
    if (message.topic === 'cancel') running.abortWhere(({ job }) => job.videoId === message.videoId)
    if (message.topic === 'worker') {
      withdrawHere(message.workerId)
      if (message.takesBack) abortWorker(message.workerId)
    }
  }

  /**
   * Workers may have been drained, or jobs cancelled, by missed messages: waiting workers ask
   * again.
   */
  function refresh(): void {
    waiting.clear()
    leases.renewLease()
  }

  function withdrawHere(workerId: number): void {
    waiting.removeWorker(workerId)
    remote.present.forget(workerId)
  }

  const abortWorker = (workerId: number) =>
    running.abortWhere(({ runner }) => runner.workerId === workerId)

  return {
    wake,

    isStarted: loop.isOpen,
    /** The jobs of workers are known again. */
    isReady: () => unsubscribe !== undefined,
    countRunning: () => running.list().length,

    /** Final after the start. */
    encoder: (): EncoderName => encoder,

    /** The server runs what workers run. */
    preparesItself: concurrency > 0,

    /** This machine or a connected worker runs such jobs. */
    hasRunner: (job: Pick<DueJob, 'kind' | 'shortSide'>): boolean =>
      ownKinds.includes(job.kind) || remote.present.take(job),

    /** Queues a worker until `signal` aborts; its `begin` gets a job. */
    offer(runner: JobRunner, signal: AbortSignal): void {
      if (!loop.isOpen() || signal.aborted) return
      waiting.add(runner, signal)
      loop.poll()
    },

    isElsewhere: leases.isElsewhere,

    /** Recovers what an earlier process left running. */
    async start(): Promise<void> {
      encoder = await deps.findEncoder()
      log.info({ encoder }, 'pictures are encoded with this')
      loop.open()
      await leases.start()
      const ends = [bus.onMessage(receive), bus.onReconnect(refresh)]
      unsubscribe = () => {
        for (const end of ends) end()
      }
      wake()
    },

    /**
     * For deletion. Resolves when this process has stopped writing; other nodes' results are
     * refused.
     */
    async cancel(videoId: number): Promise<void> {
      publish({ topic: 'cancel', videoId })
      await running.abortWhere(({ job }) => job.videoId === videoId)
      await announce(videoId)
    },

    /** Gives a worker no further jobs, also while it waits for one. */
    withdraw(workerId: number): void {
      publish({ topic: 'worker', workerId, takesBack: false })
      withdrawHere(workerId)
    },

    /** Aborts the jobs of a worker, such as one that is ended. */
    async takeBack(workerId: number): Promise<void> {
      publish({ topic: 'worker', workerId, takesBack: true })
      await abortWorker(workerId)
    },

    /** Requeues running jobs and waits for their processes; workers keep theirs for a lease. */
    async stop(): Promise<void> {
      const closed = loop.close()
      unsubscribe?.()
      unsubscribe = undefined
      await closed
      await leases.stop()
      const given = running.list().filter(({ runner }) => runner.workerId !== null)
      const isKnown = ({ job }: RunningJob) => remote.held.has(job.id)
      const [known, unknown] = [given.filter(isKnown), given.filter((work) => !isKnown(work))]
      await leases.leaveToWorkers(known)
      await running.abortWhere(() => true)
      await leases.handBack(unknown)
      publish({ topic: 'jobs' })
    },
  }
}
