import type { Database } from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'
import { timeIn } from '#server/platform/db/expressions.ts'
import type { RemoteWork } from '../worker/remote-work.ts'
import { type ClaimedJob, type JobChange, updateClaimedJob } from './job.queries.ts'
import type { Log } from './job-attempt.ts'
import {
  findGivenJob,
  listLapsedJobs,
  listRunningJobs,
  type RunningJob,
  renewLeases,
  takeOverJob,
} from './job-lease.queries.ts'
import type { JobPauses } from './job-run.ts'
import { settleInterruptedJob } from './job-settlement.ts'
import type { JobTaker } from './job-taker.ts'

export type Claim = { job: ClaimedJob; taker: JobTaker }

/** Work that is done here, or by a worker that this process gave it to. */
export type Running = Claim & {
  abort: AbortController
  done: Promise<void>
  /** When its lease was last known to go on, by the clock of `performance`. */
  renewedAt: number
}

/** Of a lease; so often a node says that it is there, and looks whose lease is over. */
const KEPT_PART = 1 / 6

type Deps = { db: Database; log: Log; pauses: JobPauses; remote: RemoteWork }
type Asking = { workerId: number; jobId: number; attempt: number }

/**
 * Who has the running jobs. A server that has its database for itself has all of them. A node of several has each for as long
 * as a lease, which it renews, and takes those of nodes that are gone; see docs/decisions/0047-jobs-of-several-nodes.md.
 */
export function createLeases(
  { db, log, pauses, remote }: Deps,
  {
    running,
    begin,
    onKept,
  }: {
    running: ReadonlySet<Running>
    begin: (claim: Claim) => void
    /** Jobs may be due of which nobody told. */
    onKept: () => void
  },
) {
  const { leaseMs, findAgainMs } = remote
  const { self: nodeId } = lineOf(db)
  let isStarted = false
  let timer: NodeJS.Timeout | undefined
  let keeping: Promise<void> | undefined
  const isHere = ({ id, attempt }: { id: number; attempt: number }) =>
    [...running].some(({ job }) => job.id === id && job.attempt === attempt)

  /** Goes on having jobs, and ends the work on those that it has no more, or for longer than a lease could not ask for. */
  async function renew(self: string): Promise<void> {
    // Workers renew what they know that they have.
    const own = [...running].filter(
      ({ job }) => remote.held.get(job.id)?.job.attempt !== job.attempt,
    )
    if (own.length === 0) return
    const now = performance.now()
    try {
      const ids = own.map(({ job }) => job.id)
      const kept = await renewLeases(db, { nodeId: self, ids, leaseMs })
      const attempts = new Map(kept.map(({ id, attempt }) => [id, attempt]))
      for (const work of own) {
        if (attempts.get(work.job.id) === work.job.attempt) work.renewedAt = now
        else work.abort.abort()
      }
    } catch (error) {
      for (const { renewedAt, abort } of own) if (now - renewedAt >= leaseMs) abort.abort()
      throw error
    }
  }

  async function takeOver(self: string, job: RunningJob): Promise<ClaimedJob | undefined> {
    const taken = await takeOverJob(db, { job, nodeId: self, leaseMs })
    if (taken) log.info({ job: job.id, node: job.nodeId }, 'the job of a node that is gone goes on')
    return taken
  }

  async function requeueLapsed(self: string): Promise<void> {
    for (const job of await listLapsedJobs(db, findAgainMs)) {
      if (isHere(job)) continue
      const taken = await takeOver(self, job)
      if (taken) await settleInterruptedJob(db, { job: taken, pauses })
    }
  }

  /** Has a worker go on with a job that it was given by a process that is gone, unless the worker was ended. */
  async function goOn(
    job: ClaimedJob,
    { workerId, restMs }: { workerId: number | null; restMs: number },
  ): Promise<void> {
    const { makeAdoptingTaker } = await import('../worker/remote-taker.ts')
    const isGiven = workerId !== null && restMs > 0
    const taker = isGiven && (await makeAdoptingTaker({ db, remote }, { workerId, restMs }))
    if (taker) begin({ job, taker })
    else await settleInterruptedJob(db, { job, pauses })
  }

  /** Requeues what an earlier process left running, but for what workers have still. */
  async function resume(): Promise<void> {
    for (const { workerId, leaseUntil, ...job } of await listRunningJobs(db)) {
      const restMs = leaseUntil === null ? 0 : Date.parse(leaseUntil) - Date.now()
      await goOn(job, { workerId, restMs })
    }
  }

  async function keepOn(self: string): Promise<void> {
    try {
      await renew(self)
      await requeueLapsed(self)
      await remote.present.readSeen(db)
    } catch (error) {
      log.warn({ err: error }, 'the leases of jobs could not be renewed')
    }
    if (!isStarted) return
    clearTimeout(timer)
    timer = setTimeout(keep, leaseMs * KEPT_PART)
    onKept()
  }

  function keep(): void {
    if (nodeId !== null && isStarted) keeping = keepOn(nodeId)
  }

  async function change(works: Running[], given: JobChange): Promise<void> {
    for (const { job } of works) {
      await updateClaimedJob(db, { job, change: given }).catch((error) =>
        log.warn({ err: error, job: job.id }, 'a job could not be given back'),
      )
    }
  }

  return {
    nodeId,

    /** Takes up what is left of processes that are gone, now and again and again. */
    async start(): Promise<void> {
      isStarted = true
      if (nodeId === null) return resume()
      keep()
      await keeping
    },

    /** Renews leases, and looks for those that are over, at once. */
    keep,

    async stop(): Promise<void> {
      isStarted = false
      clearTimeout(timer)
      await keeping
    },

    /** Has workers keep their jobs, for as long as a lease: whichever process they ask next has them. */
    async leaveToWorkers(works: Running[]): Promise<void> {
      await change(works, { nodeId: null, leaseUntil: timeIn(leaseMs) })
    },

    /** Puts jobs back into the queue that are running still. */
    handBack: (works: Running[]) => change(works, { state: 'queued' }),

    /**
     * Whether a worker has a job that it cannot be answered about here and now: the job is of another node, or begins here,
     * because the node that had it is gone.
     */
    async isElsewhere({ jobId, attempt, workerId }: Asking): Promise<boolean> {
      const job = await findGivenJob(db, { id: jobId, attempt, workerId })
      if (!job) return false
      if (nodeId === null || isHere(job)) return isHere(job)
      const taken = job.isLapsed ? await takeOver(nodeId, job) : undefined
      if (taken) await goOn(taken, { workerId, restMs: leaseMs })
      return true
    },
  }
}
