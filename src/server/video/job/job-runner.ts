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

export type RunTask = {
  (task: TranscodeTask, options: RunOptions): Promise<TranscodeResult>
  (task: LadderTask, options: RunOptions): Promise<LadderResult>
}

export type JobRunner = JobAbility & {
  name: string
  workerId: number | null
  encoder: EncoderName
  /** @returns the function that does the work */
  begin: (job: ClaimedJob) => RunTask
  /** Without `error` after success. */
  end: (job: ClaimedJob, error: unknown) => Promise<void>
}

/** Seconds of video per second, by `speedKey`. */
export type JobSpeeds = ReadonlyMap<string, number>

export function speedKey(workerId: number | null, kind: JobKind): string {
  return `${workerId ?? 'server'}:${kind}`
}

/** One without a measured speed, else the fastest. */
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
