import type { EncoderName } from '../processing/encode/encoder-name.ts'
import type {
  LadderResult,
  LadderTask,
  TranscodeResult,
  TranscodeTask,
} from '../processing/tasks/media-task.ts'
import type { RunOptions } from '../processing/tasks/run-media-task.ts'
import type { ClaimedJob } from './job.queries.ts'
import type { JobKind } from './job-kinds.ts'
import type { DueJob, JobAbility } from './job-queue.queries.ts'

/** Runs the media work of a job, in this process or on a worker, as `runMediaTask` does. */
export type RunTask = {
  (task: TranscodeTask, options: RunOptions): Promise<TranscodeResult>
  (task: LadderTask, options: RunOptions): Promise<LadderResult>
}

/** Runs jobs: this process, or a worker that waits for a job. */
export type JobRunner = JobAbility & {
  /** Written to the job's log. */
  name: string
  /** Null for this process. */
  workerId: number | null
  encoder: EncoderName
  /** Hands the job over. @returns the function that does its work */
  begin: (job: ClaimedJob) => RunTask
  /** Ends the job for this runner; `error` is undefined after success. */
  end: (job: ClaimedJob, error: unknown) => Promise<void>
}

/** Measured speeds in seconds of video per second, by `speedKey`. */
export type JobSpeeds = ReadonlyMap<string, number>

export function speedKey(workerId: number | null, kind: JobKind): string {
  return `${workerId ?? 'server'}:${kind}`
}

/** The fastest able runner by measured speed; one without a measurement comes first. */
export function chooseRunner(
  runners: JobRunner[],
  { job, speeds }: { job: Omit<DueJob, 'makerId'>; speeds: JobSpeeds },
): JobRunner | undefined {
  const able = runners.filter(
    ({ kinds, maxHeight, avoids }) =>
      kinds.includes(job.kind) && job.shortSide <= maxHeight && !avoids.has(job.id),
  )
  const speedOf = ({ workerId }: JobRunner) =>
    speeds.get(speedKey(workerId, job.kind)) ?? Number.POSITIVE_INFINITY
  let best = able[0]
  for (const runner of able) if (best && speedOf(runner) > speedOf(best)) best = runner
  return best
}
