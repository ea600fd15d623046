import type { Database } from '#server/platform/db/database.ts'
import type { DueJob } from './job-queue.queries.ts'
import type { JobRunner } from './job-runner.ts'

/** In milliseconds. */
export type RemoteRunners = {
  leaseMs: number
  /** Time that a worker needs at most to reconnect. */
  findAgainMs: number
  /** By job id. */
  held: ReadonlyMap<number, { job: { attempt: number } }>
  present: {
    forget: (workerId: number) => void
    readSeen: (db: Database) => Promise<void>
    take: (job: Pick<DueJob, 'kind' | 'shortSide'>) => boolean
  }
  /**
   * Continues a job from a process that is gone.
   * @param input.restMs of its lease
   * @returns undefined when the worker was removed
   */
  adopt: (
    db: Database,
    input: { workerId: number; restMs: number },
  ) => Promise<JobRunner | undefined>
}
