import type { RemoteRunners } from '../job/remote-runners.ts'
import type { AvoidedJobs } from './avoided-jobs.ts'
import type { ComingTask, HeldTasks } from './held-task.ts'
import type { PresentWorkers } from './present-workers.ts'

/** The work on other machines, as this process knows it. */
export type RemoteWork = {
  held: HeldTasks
  /** Tasks that are given to workers that do not know of them yet. */
  coming: Set<ComingTask>
  /** The outcomes of recent results, by the ids of worker and job and the attempt: `1:23:4`. */
  results: Map<string, Promise<void>>
  avoided: AvoidedJobs
  present: PresentWorkers
} & RemoteLimits &
  Pick<RemoteRunners, 'adopt'>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    remote: RemoteWork
  }
}

export type RemoteLimits = {
  /** How long a worker keeps its jobs without a call. */
  leaseMs: number
  /** How long a worker needs at most to reconnect to the site. */
  findAgainMs: number
  /** How long a claim waits for a job. */
  claimWaitMs: number
  /** How long a worker is avoided for a job that it failed with a wrong result, or had no room for. */
  avoidMs: number
}
