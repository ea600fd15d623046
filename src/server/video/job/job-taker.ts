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

/** Does the media work of a job, here or elsewhere; as `runMediaTask` does. */
export type RunTask = {
  (task: TranscodeTask, options: RunOptions): Promise<TranscodeResult>
  (task: LadderTask, options: RunOptions): Promise<LadderResult>
}

/** Who can take a job now: this process, or a worker that asked for one. */
export type JobTaker = JobAbility & {
  /** For the job's log. */
  name: string
  /** Null for this process. */
  workerId: number | null
  encoder: EncoderName
  /** It has the job: answers what does its work. */
  begin: (job: ClaimedJob) => RunTask
  /** The job is over for it; without an error it is done. */
  end: (job: ClaimedJob, error: unknown) => Promise<void>
}

/** Seconds of video in a second of each machine so far, by `speedKey`. */
export type JobSpeeds = ReadonlyMap<string, number>

export function speedKey(workerId: number | null, kind: JobKind): string {
  return `${workerId ?? 'server'}:${kind}`
}

/** Who gets a job: the fastest at its kind so far, where one whose speed is not known is tried first. */
export function chooseTaker(
  takers: JobTaker[],
  { job, speeds }: { job: Omit<DueJob, 'makerId'>; speeds: JobSpeeds },
): JobTaker | undefined {
  const able = takers.filter(
    ({ kinds, maxHeight, avoids }) =>
      kinds.includes(job.kind) && job.shortSide <= maxHeight && !avoids.has(job.id),
  )
  const speedOf = ({ workerId }: JobTaker) =>
    speeds.get(speedKey(workerId, job.kind)) ?? Number.POSITIVE_INFINITY
  let best = able[0]
  for (const taker of able) if (best && speedOf(taker) > speedOf(best)) best = taker
  return best
}
