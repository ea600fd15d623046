import { sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '../db/database.ts'
import type { JobRow } from '../db/schema.ts'

/** A job that was taken; its result counts only while `attempt` is still the job's. */
export type ClaimedJob = Pick<
  JobRow,
  'id' | 'kind' | 'videoId' | 'attempt' | 'failures' | 'interruptions'
>

export async function insertJob(
  db: DatabaseTransaction,
  job: Pick<JobRow, 'kind' | 'videoId'>,
): Promise<void> {
  const now = timestamp()
  await db
    .insertInto('jobs')
    .values({ ...job, state: 'queued', runAfter: now, createdAt: now })
    .execute()
}

/** Takes the oldest job that is due, or answers undefined. */
export async function claimNextJob(db: Database): Promise<ClaimedJob | undefined> {
  const now = timestamp()
  return db
    .updateTable('jobs')
    .set({ state: 'running', attempt: sql`attempt + 1`, percent: 0, startedAt: now })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', 'queued')
        .where('runAfter', '<=', now)
        .orderBy('id')
        .limit(1),
    )
    .returning(['id', 'kind', 'videoId', 'attempt', 'failures', 'interruptions'])
    .executeTakeFirst()
}

/** When the next queued job is due, or undefined when none waits. */
export async function findNextDueTime(db: Database): Promise<string | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('runAfter')
    .where('state', '=', 'queued')
    .orderBy('runAfter')
    .limit(1)
    .executeTakeFirst()
  return row?.runAfter
}

export async function listRunningJobs(db: Database): Promise<ClaimedJob[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'kind', 'videoId', 'attempt', 'failures', 'interruptions'])
    .where('state', '=', 'running')
    .execute()
}

type JobChange = Partial<
  Pick<
    JobRow,
    'state' | 'failures' | 'interruptions' | 'percent' | 'error' | 'runAfter' | 'finishedAt'
  >
>

/** Changes a job while it is this attempt's. @returns false when another attempt has it. */
export async function updateClaimedJob(
  db: Database | DatabaseTransaction,
  input: { job: ClaimedJob; change: JobChange },
): Promise<boolean> {
  const result = await db
    .updateTable('jobs')
    .set(input.change)
    .where('id', '=', input.job.id)
    .where('attempt', '=', input.job.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function findJobOfVideo(db: Database, videoId: number) {
  return db
    .selectFrom('jobs')
    .select(['id', 'state', 'percent'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
}

/** How many queued jobs will be taken before this one. */
export async function countJobsAhead(db: Database, jobId: number): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'queued')
    .where('id', '<', jobId)
    .executeTakeFirstOrThrow()
  return count
}

/** What a transcode needs to know of its video; undefined when it is being deleted. */
export async function findVideoToProcess(db: Database, videoId: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'title', 'mediaKey', 'isAnonymous', 'contentApproved'])
    .where('id', '=', videoId)
    .where('processingState', '=', 'processing')
    .executeTakeFirst()
}

export type ProcessedVideo = {
  videoUrl: string
  duration: number
  width: number
  height: number
  storageBytes: number
}

export async function updateProcessedVideo(
  db: DatabaseTransaction,
  input: { id: number; result: ProcessedVideo },
): Promise<void> {
  await db
    .updateTable('videos')
    .set({
      ...input.result,
      processingState: 'ready',
      processingError: null,
      publishedAt: timestamp(),
    })
    .where('id', '=', input.id)
    .where('processingState', '=', 'processing')
    .execute()
}

export async function updateFailedVideo(
  db: DatabaseTransaction,
  input: { id: number; processingError: string },
): Promise<void> {
  await db
    .updateTable('videos')
    .set({ processingState: 'failed', processingError: input.processingError })
    .where('id', '=', input.id)
    .where('processingState', '=', 'processing')
    .execute()
}
