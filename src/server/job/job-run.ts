import type { AppDeps } from '../context.ts'
import type { EncoderName } from '../processing/encoder-name.ts'
import type { MediaProgress } from '../processing/report.ts'
import type { ClaimedJob } from './job.queries.ts'

export type JobDeps = Pick<AppDeps, 'db' | 'media' | 'live'> & {
  /** The wanted heights of the adaptive stream. */
  renditionHeights: readonly number[]
}

export type JobRun = {
  job: ClaimedJob
  signal: AbortSignal
  encoder: EncoderName
  onProgress: (progress: MediaProgress) => void
}

/** How long one piece of media work may take, and how long it may stand still. */
export const JOB_LIMITS = { timeoutMs: 12 * 60 * 60 * 1000, stallMs: 5 * 60 * 1000 }
