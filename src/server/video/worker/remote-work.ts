import { type AvoidedJobs, createAvoidedJobs } from './avoided-jobs.ts'
import type { ComingTask, HeldTasks } from './held-task.ts'
import { createPresentWorkers, type PresentWorkers } from './present-workers.ts'

/** What is known of the work on other machines, for as long as this process lives. */
export type RemoteWork = {
  held: HeldTasks
  /** What workers were given and are not told of yet. */
  coming: Set<ComingTask>
  /** What became of results that were handed in lately, by the worker's id, the job's and its attempt: `1:23:4`. */
  results: Map<string, Promise<void>>
  avoided: AvoidedJobs
  present: PresentWorkers
} & RemoteLimits

export type RemoteLimits = {
  /** How long a worker has its jobs without a word of it. */
  leaseMs: number
  /** How long it needs at most to find a site that was away. */
  findAgainMs: number
  /** How long its question for a job is kept open while there is none. */
  claimWaitMs: number
  /** How long others are given a job first that one handed in wrong, or had no room for. */
  avoidMs: number
}

/** A worker that cannot reach the site tries again after 19 s at the latest; proxies end a silent call after 30 to 60. */
const REMOTE_LIMITS: RemoteLimits = {
  ...{ leaseMs: 60_000, findAgainMs: 20_000, claimWaitMs: 25_000 },
  avoidMs: 5 * 60 * 1000,
}

export function createRemoteWork(given: Partial<RemoteLimits> = {}): RemoteWork {
  const limits = { ...REMOTE_LIMITS, ...given }
  const held: HeldTasks = new Map()
  return {
    ...limits,
    held,
    coming: new Set(),
    results: new Map(),
    avoided: createAvoidedJobs(limits.avoidMs),
    present: createPresentWorkers(held),
  }
}
