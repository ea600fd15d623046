import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { withLocalCopies } from '#server/platform/files/media-store.ts'
import type { NewMediaFile } from '../media/media-file.queries.ts'
import { addFiles, type Payer } from '../media/media-folder.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { MediaFailedError, MediaInterruptedError } from '../processing/media-errors.ts'
import type { MediaProgress } from '../processing/tasks/media-task.ts'
import type { RunOptions } from '../processing/tasks/run-media-task.ts'
import { withFolderLock } from '../video/folder-lock.ts'
import { type ClaimedJob, isClaimed, updateClaimedJob } from './job.queries.ts'
import type { JobKind } from './job-kinds.ts'
import type { RunTask } from './job-runner.ts'

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

/** Does the work of each kind of job and records its result, unless another attempt has taken the job over. */
export type JobHandlers = Record<JobKind, (deps: JobDeps, run: JobRun) => Promise<void>>

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

type MadeVideo<Found> = {
  job: ClaimedJob
  video: { id: number; mediaKey: string }
  workFolder: string
  /** Their names are this attempt's alone. */
  files: NewMediaFile[]
  payer: Payer | null
  /** The step at which all of them are put. */
  moved: Failpoint
  /** The video as the work needs it; the job is over without it. */
  find: (db: Database) => Promise<Found | undefined>
  /** Makes rows speak of the files, once the job is known to be this attempt's still. @returns who is told */
  publish: (db: DatabaseTransaction, now: Found) => Promise<number[]>
}

/**
 * Puts the files that an attempt made and publishes them, unless another attempt or node has the job by then: what this one
 * put is nobody's then, and is deleted.
 * @returns who is told
 * @throws MediaInterruptedError when another one has the job already
 */
export function publishMade<Found>(deps: JobDeps, made: MadeVideo<Found>): Promise<number[]> {
  const { db } = deps
  const { job, video, workFolder, files, payer, moved, find, publish } = made
  return withFolderLock(db, video.mediaKey, async () => {
    // Only to spare the store what nobody wants: what counts is asked once more with the rows.
    if (!(await isClaimed(db, job))) throw new MediaInterruptedError()
    if (!(await find(db))) {
      await updateClaimedJob(db, { job, change: { state: 'done' } })
      return []
    }
    return addFiles(deps, {
      ...{ video, workFolder, files, payer, moved },
      async publish(transaction) {
        const change = { state: 'done' as const, percent: 100, finishedAt: timestamp() }
        if (!(await updateClaimedJob(transaction, { job, change }))) return []
        // Its owner or an admin may have changed it since the work began.
        const now = await find(transaction)
        return now ? publish(transaction, now) : []
      },
    })
  })
}
