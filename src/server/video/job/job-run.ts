import type { AppDeps } from '#server/platform/deps.ts'
import { withLocalCopies } from '#server/platform/files/media-store.ts'
import { withFolderLock } from '../media/media-folder.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { MediaFailedError, MediaInterruptedError } from '../processing/media-errors.ts'
import type { MediaProgress } from '../processing/tasks/media-task.ts'
import type { RunOptions } from '../processing/tasks/run-media-task.ts'
import { type ClaimedJob, findVideoToProcess, isClaimed, updateClaimedJob } from './job.queries.ts'
import type { RunTask } from './job-taker.ts'

export type JobDeps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'live'> & {
  /** The wanted heights of the adaptive stream. */
  renditionHeights: readonly number[]
  jobLimits: JobLimits
}

export type JobRun = {
  job: ClaimedJob
  signal: AbortSignal
  encoder: EncoderName
  /** Here, or on another machine. */
  runTask: RunTask
  onProgress: (progress: MediaProgress) => void
}

/** How long one piece of media work may take and stand still, and what memory it may take. */
export type JobLimits = Pick<RunOptions, 'timeoutMs' | 'stallMs' | 'memoryLimitBytes'>

export const JOB_LIMITS: JobLimits = { timeoutMs: 12 * 60 * 60 * 1000, stallMs: 5 * 60 * 1000 }

/** How long a job waits after its first failure (twice that after the second), for room on the disk, and for the store. */
export type JobPauses = { failedMs: number; noRoomMs: number; noStoreMs: number }

export const JOB_PAUSES: JobPauses = { failedMs: 10_000, noRoomMs: 60_000, noStoreMs: 30_000 }

/** The steps of jobs that wait for room on the disk, for the store of media, or for a machine, where others wait for their turn. */
export const NO_SPACE_STEP = 'no-room'
export const NO_STORE_STEP = 'no-store'
export const NO_MACHINE_STEP = 'no-machine'

/** The path of a file that is to be worked on. @throws MediaFailedError when it is gone */
export function requireFile(path: string | undefined): string {
  if (path === undefined) throw new MediaFailedError('The file is missing on the server.')
  return path
}

/**
 * Does the work of a job on local copies of files; a key without a file, or null, has no path. Whoever gives the job up
 * need not wait until they are there.
 * @throws MediaInterruptedError then
 */
export function withInputs<Result>(
  { media }: Pick<JobDeps, 'media'>,
  { keys, signal }: { keys: readonly (string | null)[]; signal: AbortSignal },
  work: (paths: (string | undefined)[]) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new MediaInterruptedError())
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp)
    withLocalCopies(media, keys, (paths) => {
      signal.removeEventListener('abort', giveUp)
      if (signal.aborted) throw new MediaInterruptedError()
      return work(paths)
    }).then(resolve, reject)
  })
}

/**
 * Nothing is put into the store for a job that another attempt or node has by now: that one may have published files of the
 * same names. To be asked with the lock of the video's folder.
 * @throws MediaInterruptedError
 */
export async function requireClaim({ db }: Pick<JobDeps, 'db'>, job: ClaimedJob): Promise<void> {
  if (!(await isClaimed(db, job))) throw new MediaInterruptedError()
}

/** Runs `publish` with the lock of a video's folder, unless the video is no longer being processed: the job is over then. */
export async function withProcessingVideo(
  { db }: JobDeps,
  { job, mediaKey }: { job: ClaimedJob; mediaKey: string },
  publish: () => Promise<void>,
): Promise<void> {
  await withFolderLock(db, mediaKey, async () => {
    await requireClaim({ db }, job)
    if (await findVideoToProcess(db, job.videoId)) return publish()
    await updateClaimedJob(db, { job, change: { state: 'done' } })
  })
}
