import { type Database, timestamp } from '#server/platform/db/database.ts'
import { WORKER_KINDS } from '../job/job-kinds.ts'
import type { DueJob, JobAbility } from '../job/job-queue.queries.ts'
import type { HeldTasks } from './held-task.ts'
import { listSeenWorkers } from './worker.queries.ts'

/** After this silence a worker counts as away. */
export const HERE_MS = 60_000

type Ability = Pick<JobAbility, 'kinds' | 'maxHeight'>
type Workload = Pick<DueJob, 'kind' | 'shortSide'>

export type PresentWorkers = ReturnType<typeof createPresentWorkers>

export function createPresentWorkers(held: HeldTasks) {
  const known = new Map<number, Ability & { seenAt: number }>()
  let seen: number[] = []
  const isThere = (id: number, seenAt: number) =>
    performance.now() - seenAt < HERE_MS ||
    seen.includes(id) ||
    [...held.values()].some((task) => task.workerId === id)
  return {
    note(id: number, { kinds, maxHeight }: Ability): void {
      known.set(id, { kinds, maxHeight, seenAt: performance.now() })
    },
    forget(id: number): void {
      known.delete(id)
      seen = seen.filter((other) => other !== id)
    },
    /** Abilities of other nodes' workers are unknown. */
    async readSeen(db: Database): Promise<void> {
      seen = await listSeenWorkers(db, timestamp(new Date(Date.now() - HERE_MS)))
    },
    take({ kind, shortSide }: Workload): boolean {
      return (
        [...known].some(
          ([id, { kinds, maxHeight, seenAt }]) =>
            kinds.includes(kind) && shortSide <= maxHeight && isThere(id, seenAt),
        ) ||
        (WORKER_KINDS.includes(kind) && seen.some((id) => !known.has(id)))
      )
    },
  }
}
