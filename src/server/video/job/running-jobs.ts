import type { ClaimedJob } from './job.queries.ts'
import type { JobRunner } from './job-runner.ts'

export type Claim = { job: ClaimedJob; runner: JobRunner }

/** Here, or on a worker that got it from here. */
export type RunningJob = Claim & {
  /** By the clock of `performance`. */
  startedAt: number
  /** Asks the work to end. */
  abort: () => void
  /** Resolves when the work has ended, whatever the outcome. */
  done: Promise<void>
}

export type RunningJobs = ReturnType<typeof createRunningJobs>

type Work = {
  run: (claim: Claim, signal: AbortSignal) => Promise<void>
  onEnd: (job: ClaimedJob) => void
}

export function createRunningJobs({ run, onEnd }: Work) {
  const running = new Set<RunningJob>()
  const list = (): RunningJob[] => [...running]

  return {
    list,
    has: ({ id, attempt }: Pick<ClaimedJob, 'id' | 'attempt'>): boolean =>
      list().some(({ job }) => job.id === id && job.attempt === attempt),

    begin(claim: Claim): void {
      const controller = new AbortController()
      const done = run(claim, controller.signal).finally(() => {
        running.delete(work)
        onEnd(claim.job)
      })
      const abort = () => controller.abort()
      const work: RunningJob = { ...claim, startedAt: performance.now(), abort, done }
      running.add(work)
    },

    /** Resolves when the aborted work has ended. */
    async abortWhere(isChosen: (work: RunningJob) => boolean): Promise<void> {
      const chosen = list().filter(isChosen)
      for (const { abort } of chosen) abort()
      await Promise.all(chosen.map(({ done }) => done))
    },
  }
}
