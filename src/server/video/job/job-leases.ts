import { createLeaseKeeper } from '#server/platform/cluster/lease-keeper.ts'
import type { Database } from '#server/platform/db/database.ts'
import { timeIn } from '#server/platform/db/expressions.ts'
import { type ClaimedJob, type JobChange, updateClaimedJob } from './job.queries.ts'
import type { Log } from './job-attempt.ts'
import {
  findGivenJob,
  listLapsedJobs,
  listRunningJobs,
  type RunningJobRow,
  renewLeases,
  takeOverJob,
} from './job-lease.queries.ts'
import type { JobPauses } from './job-run.ts'
import { settleInterruptedJob } from './job-settlement.ts'
import type { RemoteRunners } from './remote-runners.ts'
import type { RunningJob, RunningJobs } from './running-jobs.ts'

type Deps = {
  db: Database
  log: Log
  pauses: JobPauses
  remote: RemoteRunners
  running: RunningJobs
}
type Asking = { workerId: number; jobId: number; attempt: number }

/**
 * Holds the running jobs. Among several nodes each job has a lease, which its node renews; others
 * take over the jobs of one that is gone. See docs/decisions/0047-jobs-of-several-nodes.md.
 */
export function createLeases(
  { db, log, pauses, remote, running }: Deps,
  // Jobs may be due whose message was missed.
  { onRenewed }: { onRenewed: () => void },
) {
  const { leaseMs, findAgainMs } = remote
  const keeper = createLeaseKeeper(db, {
    leaseMs,
    recover,
    async renew(nodeId) {
      await renewRunning(nodeId)
      await requeueLapsed(nodeId)
      await remote.present.readSeen(db)
    },
    onRenewed,
    onError: (error) => log.warn({ err: error }, 'the leases of jobs could not be renewed'),
  })
  const { holder } = keeper
  /** By the clock of `performance`. */
  const renewedAt = new WeakMap<RunningJob, number>()

  /** Aborts jobs that were taken over, or not renewed for as long as a lease. */
  async function renewRunning(self: string): Promise<void> {
    // Workers renew those that they know of.
    const own = running
      .list()
      .filter(({ job }) => remote.held.get(job.id)?.job.attempt !== job.attempt)
    if (own.length === 0) return
    const now = performance.now()
    try {
      const ids = own.map(({ job }) => job.id)
      const kept = await renewLeases(db, { nodeId: self, ids, leaseMs })
      const attempts = new Map(kept.map(({ id, attempt }) => [id, attempt]))
      for (const work of own) {
        if (attempts.get(work.job.id) === work.job.attempt) renewedAt.set(work, now)
        else work.abort()
      }
    } catch (error) {
      for (const work of own) {
        if (now - (renewedAt.get(work) ?? work.startedAt) >= leaseMs) work.abort()
      }
      throw error
    }
  }

  async function takeOver(self: string, job: RunningJobRow): Promise<ClaimedJob | undefined> {
    const taken = await takeOverJob(db, { job, nodeId: self, leaseMs })
    if (taken)
      log.info({ job: job.id, node: job.nodeId }, 'the job of a node that is gone continues')
    return taken
  }

  async function requeueLapsed(self: string): Promise<void> {
    for (const job of await listLapsedJobs(db, findAgainMs)) {
      if (running.has(job)) continue
      const taken = await takeOver(self, job)
      if (taken) await settleInterruptedJob(db, { job: taken, pauses })
    }
  }

  /** Lets a worker continue a job from a process that is gone, unless the worker was ended. */
  async function resume(
    job: ClaimedJob,
    { workerId, restMs }: { workerId: number | null; restMs: number },
  ): Promise<void> {
    const isGiven = workerId !== null && restMs > 0
    const runner = isGiven && (await remote.adopt(db, { workerId, restMs }))
    if (runner) running.begin({ job, runner })
    else await settleInterruptedJob(db, { job, pauses })
  }

  /** Requeues what an earlier process left running, except what workers still have. */
  async function recover(): Promise<void> {
    for (const { workerId, leaseUntil, ...job } of await listRunningJobs(db)) {
      const restMs = leaseUntil === null ? 0 : Date.parse(leaseUntil) - Date.now()
      await resume(job, { workerId, restMs })
    }
  }

  async function change(works: RunningJob[], given: JobChange): Promise<void> {
    for (const { job } of works) {
      await updateClaimedJob(db, { job, change: given }).catch((error) =>
        log.warn({ err: error, job: job.id }, 'a job could not be given back'),
      )
    }
  }

  return {
    /** The node in the rows of this process's jobs. */
    holder,
    /** Takes over the jobs of processes that are gone, now and regularly. */
    start: keeper.start,
    /** Renews leases and looks for lapsed ones, now. */
    renewLease: keeper.renewLease,
    stop: keeper.stop,

    /** Leaves jobs to workers for one lease; the process that they call next takes over. */
    async leaveToWorkers(works: RunningJob[]): Promise<void> {
      await change(works, { nodeId: null, leaseUntil: timeIn(leaseMs) })
    },

    handBack: (works: RunningJob[]) => change(works, { state: 'queued' }),

    /**
     * This process cannot answer yet for a worker's job: another node holds it, or this one begins
     * to take it over.
     */
    async isElsewhere({ jobId, attempt, workerId }: Asking): Promise<boolean> {
      const job = await findGivenJob(db, { id: jobId, attempt, workerId })
      if (!job) return false
      if (holder === null || running.has(job)) return running.has(job)
      const taken = job.isLapsed ? await takeOver(holder, job) : undefined
      if (taken) await resume(taken, { workerId, restMs: leaseMs })
      return true
    },
  }
}
