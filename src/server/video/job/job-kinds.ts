import type { JobRow } from '#server/platform/db/tables/job.ts'

export type JobKind = JobRow['kind']

const TRAVELS: Record<JobKind, boolean> = {
  transcode: true,
  ladder: true,
  cut: false,
  clip: false,
  montage: false,
  align: false,
  mix: false,
}

export const JOB_KINDS = Object.keys(TRAVELS) as JobKind[]
export const WORKER_KINDS = JOB_KINDS.filter((kind) => TRAVELS[kind])
