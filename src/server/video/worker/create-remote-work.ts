import { createAvoidedJobs } from './avoided-jobs.ts'
import type { HeldTasks } from './held-task.ts'
import { createPresentWorkers } from './present-workers.ts'
import type { RemoteLimits, RemoteWork } from './remote-work.ts'

/** Workers reconnect within 19 s; proxies end silent calls after 30 to 60 s. */
const REMOTE_LIMITS: RemoteLimits = {
  ...{ leaseMs: 60_000, findAgainMs: 20_000, claimWaitMs: 25_000 },
  avoidMs: 5 * 60 * 1000,
}

export function createRemoteWork(changes: Partial<RemoteLimits> = {}): RemoteWork {
  const limits = { ...REMOTE_LIMITS, ...changes }
  const held: HeldTasks = new Map()
  const remote: RemoteWork = {
    ...limits,
    held,
    coming: new Set(),
    results: new Map(),
    avoided: createAvoidedJobs(limits.avoidMs),
    present: createPresentWorkers(held),
    plain: new Set(),
    async adopt(db, input) {
      // Most sites have no workers.
      const { createAdoptingRunner } = await import('./remote-runner.ts')
      return createAdoptingRunner({ db, remote }, input)
    },
  }
  return remote
}
