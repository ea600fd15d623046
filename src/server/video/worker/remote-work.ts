import type { HeldTasks } from './held-task.ts'

/** What is known of the work on other machines, for as long as this process lives. */
export type RemoteWork = {
  held: HeldTasks
  /** The jobs, by the ids of the workers, of which a worker handed in something wrong. */
  refused: Map<number, Set<number>>
  /** How long a worker has its jobs without a word of it. */
  leaseMs: number
  /** How long it needs at most to find a site that was away. */
  findAgainMs: number
}
