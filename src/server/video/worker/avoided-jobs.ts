export type AvoidedJobs = ReturnType<typeof createAvoidedJobs>

/** The jobs that a worker is not given for a while, so that others get them; where there is no other, it tries again. */
export function createAvoidedJobs(forMs: number) {
  /** When each ends, by the id of the job, by the id of the worker. */
  const ends = new Map<number, Map<number, number>>()
  return {
    add(workerId: number, jobId: number): void {
      const ofWorker = ends.get(workerId) ?? new Map<number, number>()
      ends.set(workerId, ofWorker.set(jobId, performance.now() + forMs))
    },
    /** The ids of those that `workerId` is not given now. */
    of(workerId: number): Set<number> {
      const ofWorker = ends.get(workerId) ?? new Map<number, number>()
      for (const [jobId, end] of ofWorker) if (end <= performance.now()) ofWorker.delete(jobId)
      return new Set(ofWorker.keys())
    },
  }
}
