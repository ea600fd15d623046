import { type AvoidedJobs, createAvoidedJobs } from './avoided-jobs.ts'
import type { ComingTask, HeldTasks } from './held-task.ts'
import { createPresentWorkers, type PresentWorkers } from './present-workers.ts'

export type RemoteWork = {
  held: HeldTasks
  /** Assigned, not yet delivered. */
  coming: Set<ComingTask>
  /** Recent results by `worker:job:attempt`. */
  results: Map<string, Promise<void>>
  avoided: AvoidedJobs
  present: PresentWorkers
} & RemoteLimits

export type RemoteLimits = {
  /** Silence until a lease ends. */
  leaseMs: number
  /** Longest time to reconnect. */
  findAgainMs: number
  claimWaitMs: number
  /** How long others go first after a refused result or a full disk. */
  avoidMs: number
}

/** Workers retry within 19 s; proxies end idle calls after 30 to 60 s. */
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
