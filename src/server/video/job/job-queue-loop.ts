import type { Database } from '#server/platform/db/database.ts'
import type { Log } from './job-attempt.ts'
import { claimNextJob, findNextDueTime } from './job-queue.queries.ts'
import { chooseRunner, type JobRunner } from './job-runner.ts'
import { listJobSpeeds } from './job-speed.queries.ts'
import type { Claim } from './running-jobs.ts'

const LONGEST_SLEEP_MS = 60_000

type LoopDeps = {
  db: Database
  log: Log
  /** The node in the rows of claimed jobs; null without other nodes. */
  nodeId: string | null
  leaseMs: number
  /** Time until the poll after a failed one. */
  retryMs: number
}

type LoopActions = {
  listRunners: () => JobRunner[]
  begin: (claim: Claim) => void
  /**
   * Owners in the queue, and that of `videoId`, which may have left it.
   */
  announce: (videoId?: number) => Promise<void>
}

/** Starts due jobs on free runners, when woken or when the next becomes due. One poll at a time. */
export function createQueueLoop(
  { db, log, nodeId, leaseMs, retryMs }: LoopDeps,
  { listRunners, begin, announce }: LoopActions,
) {
  let isOpen = false
  let timer: NodeJS.Timeout | undefined
  let lastPoll = Promise.resolve()

  /**
   * Until all runners are taken or none is due.
   * @returns whether there was one
   */
  async function fill(): Promise<boolean> {
    for (let count = 0; ; count++) {
      const runners = isOpen ? listRunners() : []
      if (runners.length === 0) return count > 0
      const claim = await claimFor(runners)
      if (!claim) {
        await sleepUntilDue()
        return count > 0
      }
      begin(claim)
    }
  }

  async function claimFor(runners: JobRunner[]): Promise<Claim | undefined> {
    // One candidate needs no comparison.
    const speeds = runners.length > 1 ? await listJobSpeeds(db) : new Map()
    let runner: JobRunner | undefined
    const job = await claimNextJob(db, runners, (due) => {
      runner = chooseRunner(runners, { job: due, speeds })
      const workerId = runner?.workerId ?? null
      return { workerId, nodeId, leaseMs: workerId === null && nodeId === null ? null : leaseMs }
    })
    return job && runner && { job, runner }
  }

  async function sleepUntilDue(): Promise<void> {
    const due = await findNextDueTime(db)
    // Jobs that a command adds beside the site wake no other process.
    if (due === undefined) return wakeIn(LONGEST_SLEEP_MS)
    const dueInMs = Math.max(0, new Date(due).getTime() - Date.now())
    wakeIn(Math.min(dueInMs + 10, LONGEST_SLEEP_MS))
  }

  function wakeIn(ms: number): void {
    clearTimeout(timer)
    if (isOpen) timer = setTimeout(() => wake(), ms)
  }

  function addPoll(afterwards: (hasBegun: boolean) => Promise<void>): void {
    lastPoll = lastPoll
      .then(fill)
      .then(afterwards)
      .catch((error) => {
        log.warn({ err: error }, 'the job queue could not be read')
        wakeIn(retryMs)
      })
  }

  function wake(videoId?: number): void {
    if (!isOpen) return
    clearTimeout(timer)
    addPoll(() => announce(videoId))
  }

  return {
    isOpen: () => isOpen,
    /** Polls and announces, after a change of the queue. */
    wake,
    /** Announces only when a job has begun. */
    poll: (): void => addPoll(async (hasBegun) => (hasBegun ? announce() : undefined)),

    open(): void {
      isOpen = true
    },

    /** Resolves when no further job begins. */
    async close(): Promise<void> {
      isOpen = false
      clearTimeout(timer)
      await lastPoll
    },
  }
}
