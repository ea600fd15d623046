import type { AvoidedJobs } from './avoided-jobs.ts'
import type { ComingTask } from './claim-task.ts'
import type { HeldTasks } from './held-task.ts'

/** What is known of the work on other machines, for as long as this process lives. */
export type RemoteWork = {
  held: HeldTasks
  /** What workers were given and are not told of yet. */
  coming: Set<ComingTask>
  avoided: AvoidedJobs
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
export const REMOTE_LIMITS: RemoteLimits = {
  ...{ leaseMs: 60_000, findAgainMs: 20_000, claimWaitMs: 25_000 },
  avoidMs: 5 * 60 * 1000,
}
