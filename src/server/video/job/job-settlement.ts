import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { isBusy, isDiskFull } from '#server/platform/db/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import { StoreError } from '#server/platform/files/media-store.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  UnplayableSourceError,
} from '../processing/media-errors.ts'
import { jobFailed } from './job.events.ts'
import {
  type ClaimedJob,
  updateClaimedJob,
  updateFailedVideo,
  updateGivenUpClips,
} from './job.queries.ts'
import { HandedBackError } from './job-errors.ts'
import { type JobPauses, NO_SPACE_STEP, NO_STORE_STEP } from './job-run.ts'

export const FAILURES_MAX = 3
const INTERRUPTIONS_PER_FAILURE = 10

const INTERRUPTED = 'The server was stopped too often during the work on this video.'
const UNEXPECTED = 'Something went wrong on the server. Please try again later.'

/** Not when another attempt has claimed the job. */
export async function settleJob(
  db: Database,
  input: { job: ClaimedJob; error: unknown; pauses: JobPauses },
): Promise<void> {
  const { job, error, pauses } = input
  if (error instanceof HandedBackError) {
    await updateClaimedJob(db, { job, change: { state: 'queued' } })
    return
  }
  // The database may be away.
  if (error instanceof MediaInterruptedError || isBusy(error)) {
    return settleInterruptedJob(db, { job, pauses })
  }
  if (waitsForStorage(error)) {
    const change =
      error instanceof StoreError
        ? { step: NO_STORE_STEP, runAfter: inMs(pauses.noStoreMs) }
        : { step: NO_SPACE_STEP, runAfter: inMs(pauses.noRoomMs) }
    await updateClaimedJob(db, { job, change: { state: 'queued', ...change } })
    return
  }
  const isHopeless = error instanceof UnplayableSourceError || isOverQuota(error)
  const failures = isHopeless ? FAILURES_MAX : job.failures + 1
  await recordFailure(db, { job, pauses, failures, sentence: ownerMessage(error) })
}

/** After a shutdown or outage; a failure only after many. */
export async function settleInterruptedJob(
  db: Database,
  { job, pauses }: { job: ClaimedJob; pauses: JobPauses },
): Promise<void> {
  const interruptions = job.interruptions + 1
  if (interruptions < INTERRUPTIONS_PER_FAILURE) {
    await updateClaimedJob(db, { job, change: { state: 'queued', interruptions } })
    return
  }
  await recordFailure(db, { job, pauses, failures: job.failures + 1, sentence: INTERRUPTED })
}

/** For admins only. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const diagnostics = error instanceof MediaFailedError ? error.diagnostics : ''
  return `${error.name}: ${error.message}${diagnostics && `\n${diagnostics}`}`
}

/** Without internal errors. */
export function ownerMessage(error: unknown): string {
  const isForPeople = error instanceof MediaFailedError || error instanceof AppError
  return isForPeople ? error.message : UNEXPECTED
}

/** Lack of disk space, or an outage of the store. */
export function waitsForStorage(error: unknown): boolean {
  if (error instanceof StoreError || isDiskFull(error)) return true
  return error instanceof AppError && error.kind === 'no-space'
}

export function isOverQuota(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'too-large'
}

async function recordFailure(
  db: Database,
  input: { job: ClaimedJob; pauses: JobPauses; failures: number; sentence: string },
): Promise<void> {
  const { job, pauses, failures, sentence } = input
  const change = { failures, interruptions: 0, error: sentence }
  if (failures < FAILURES_MAX) {
    const runAfter = inMs(pauses.failedMs * failures)
    await updateClaimedJob(db, { job, change: { ...change, state: 'queued', runAfter } })
    return
  }
  await inTransaction(db, async (transaction) => {
    const failed = { ...change, state: 'failed' as const, finishedAt: timestamp() }
    if (!(await updateClaimedJob(transaction, { job, change: failed }))) return
    await updateFailedVideo(transaction, { id: job.videoId, processingError: sentence })
    if (job.kind === 'clip') await updateGivenUpClips(transaction, job.videoId)
    await jobFailed.raise({ db: transaction, jobId: job.id })
  })
}

function inMs(pause: number): string {
  return timestamp(new Date(Date.now() + pause))
}
