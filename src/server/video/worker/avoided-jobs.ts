export type AvoidedJobs = ReturnType<typeof createAvoidedJobs>

/** So that other workers try first. */
export function createAvoidedJobs(forMs: number) {
  /** By worker id and job id. */
  const ends = new Map<number, Map<number, number>>()
  return {
    add(workerId: number, jobId: number): void {
      const ofWorker = ends.get(workerId) ?? new Map<number, number>()
      ends.set(workerId, ofWorker.set(jobId, performance.now() + forMs))
    },
    of(workerId: number): Set<number> {
      const ofWorker = ends.get(workerId) ?? new Map<number, number>()
      for (const [jobId, end] of ofWorker) if (end <= performance.now()) ofWorker.delete(jobId)
      return new Set(ofWorker.keys())
    },
  }
}
