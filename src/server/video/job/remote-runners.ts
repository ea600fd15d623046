import type { Database } from '#server/platform/db/database.ts'
import type { DueJob } from './job-queue.queries.ts'
import type { JobRunner } from './job-runner.ts'

/** The runners on other machines. Times are in milliseconds. */
export type RemoteRunners = {
  /** How long a runner keeps its jobs without a call. */
  leaseMs: number
  /** How long a runner needs at most to reconnect to the site. */
  findAgainMs: number
  /** The jobs that runners know of, by the ids of jobs. */
  held: ReadonlyMap<number, { job: { attempt: number } }>
  present: {
    /** Removes a runner that gets no further jobs. */
    forget: (workerId: number) => void
    /** Reads which runners call other nodes. */
    readSeen: (db: Database) => Promise<void>
    /** Whether a connected runner takes such jobs. */
    take: (job: Pick<DueJob, 'kind' | 'shortSide'>) => boolean
  }
  /**
   * Makes the runner of a job that was handed out by a process that is gone.
   * @param input.restMs the rest of the lease of the job
   * @returns undefined when the runner was ended
   */
  adopt: (
    db: Database,
    input: { workerId: number; restMs: number },
  ) => Promise<JobRunner | undefined>
}
