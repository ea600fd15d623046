import type { JobDeps, JobRun } from './job-run.ts'
import { makeLadderOfVideo } from './ladder-job.ts'
import { transcodeVideo } from './transcode-job.ts'

/** Does the work of a job and records its result, unless another attempt has the job by then. */
export async function performJob(deps: JobDeps, run: JobRun): Promise<void> {
  switch (run.job.kind) {
    case 'transcode':
      return transcodeVideo(deps, run)
    case 'ladder':
      return makeLadderOfVideo(deps, run)
  }
}
