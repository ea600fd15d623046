import type { JobRunner } from './job-runner.ts'

/** Workers that wait for a job from this process. */
export function createWaitingRunners() {
  const waiting = new Set<JobRunner>()

  return {
    list: (): JobRunner[] => [...waiting],

    /** Until `signal` aborts. */
    add(runner: JobRunner, signal: AbortSignal): void {
      waiting.add(runner)
      signal.addEventListener('abort', () => waiting.delete(runner))
    },

    remove: (runner: JobRunner): void => void waiting.delete(runner),

    removeWorker(workerId: number): void {
      for (const runner of waiting) if (runner.workerId === workerId) waiting.delete(runner)
    },

    clear: (): void => waiting.clear(),
  }
}
