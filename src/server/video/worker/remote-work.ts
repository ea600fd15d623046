import type { RemoteRunners } from '../job/remote-runners.ts'
import type { AvoidedJobs } from './avoided-jobs.ts'
import type { ComingTask, HeldTasks } from './held-task.ts'
import type { PresentWorkers } from './present-workers.ts'

export type RemoteWork = {
  held: HeldTasks
  /** Assigned, but not received yet. */
  coming: Set<ComingTask>
  /** By worker id, job id and attempt, such as `1:23:4`. */
  results: Map<string, Promise<void>>
  avoided: AvoidedJobs
  present: PresentWorkers
  /** Ids of workers that reached this node over plain HTTP from another machine. */
  plain: Set<number>
} & RemoteLimits &
  Pick<RemoteRunners, 'adopt'>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    remote: RemoteWork
  }
}

export type RemoteLimits = {
  leaseMs: number
  /** Time that a worker needs at most to reconnect. */
  findAgainMs: number
  claimWaitMs: number
  /** Time that a worker is avoided for a job after a wrong result or a lack of space. */
  avoidMs: number
}
