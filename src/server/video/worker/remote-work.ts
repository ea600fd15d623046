import type { ComingTask } from './claim-task.ts'
import type { HeldTasks } from './held-task.ts'

/** What is known of the work on other machines, for as long as this process lives. */
export type RemoteWork = {
  held: HeldTasks
  /** What workers were given and are not told of yet. */
  coming: Set<ComingTask>
  /** The jobs, by the ids of the workers, of which a worker handed in something wrong. */
  refused: Map<number, Set<number>>
} & RemoteLimits

export type RemoteLimits = {
  /** How long a worker has its jobs without a word of it. */
  leaseMs: number
  /** How long it needs at most to find a site that was away. */
  findAgainMs: number
  /** How long its question for a job is kept open while there is none. */
  claimWaitMs: number
}

/** A worker that cannot reach the site tries again after 19 s at the latest; proxies end a silent call after 30 to 60. */
export const REMOTE_LIMITS: RemoteLimits = {
  ...{ leaseMs: 60_000, findAgainMs: 20_000, claimWaitMs: 25_000 },
}
