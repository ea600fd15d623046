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
  /** Short sides of the adaptive stream. */
  renditionHeights: readonly number[]
  jobLimits: JobLimits
}

export type JobRun = {
  job: ClaimedJob
  signal: AbortSignal
  encoder: EncoderName
  runTask: RunTask
  onProgress: (progress: MediaProgress) => void
}

/** A handler records its result unless another attempt has claimed the job. */
export type JobHandlers = Record<JobKind, (deps: JobDeps, run: JobRun) => Promise<void>>

export type JobLimits = Pick<RunOptions, 'timeoutMs' | 'stallMs' | 'memoryLimitBytes'>

export const JOB_LIMITS: JobLimits = { timeoutMs: 12 * 60 * 60 * 1000, stallMs: 5 * 60 * 1000 }

/**
 * Milliseconds before a retry: after the first failure (then doubled), for disk space, for the
 * store.
 */
export type JobPauses = { failedMs: number; noRoomMs: number; noStoreMs: number }

export const JOB_PAUSES: JobPauses = { failedMs: 10_000, noRoomMs: 60_000, noStoreMs: 30_000 }

/** Steps of queued jobs that wait for disk space, the store or a runner. */
export const NO_SPACE_STEP = 'no-room'
export const NO_STORE_STEP = 'no-store'
export const NO_MACHINE_STEP = 'no-machine'

/** @throws MediaFailedError when it is missing */
export function requireFile(path: string | undefined): string {
  if (path === undefined) throw new MediaFailedError('The file is missing on the server.')
  return path
}

/**
 * With local copies; a key without a file, or null, has no path.
 * @throws MediaInterruptedError when `signal` aborts, also during the transfer
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
  /** Names of this attempt only. */
  files: NewMediaFile[]
  payer: Payer | null
  /** When all files are in the store. */
  moved: Failpoint
  /** Undefined ends the job unpublished. */
  find: (db: Database) => Promise<Found | undefined>
  /** @returns the users to notify */
  publish: (db: DatabaseTransaction, now: Found) => Promise<number[]>
}

/**
 * Deletes the files instead when another attempt has claimed the job.
 * @returns the users to notify
 * @throws MediaInterruptedError when that was before the transfer
 */
export function publishMade<Found>(deps: JobDeps, made: MadeVideo<Found>): Promise<number[]> {
  const { db } = deps
  const { job, video, workFolder, files, payer, moved, find, publish } = made
  return withFolderLock(db, video.mediaKey, async () => {
    // Avoids a useless upload; the transaction decides.
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
        // Owner or admin may have changed it meanwhile.
        const now = await find(transaction)
        return now ? publish(transaction, now) : []
      },
    })
  })
}
