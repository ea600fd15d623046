import { type RawBuilder, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { lesserOf } from '#server/platform/db/expressions.ts'
import type { JobRow } from '#server/platform/db/tables/job.ts'
import { addressOf } from '../video/media-address.ts'

export const CLAIMED = [
  ...(['id', 'kind', 'videoId', 'attempt', 'failures', 'interruptions'] as const),
  ...(['nodeId', 'makerId'] as const),
] as const

/** A result counts while `attempt` and node are the same. */
export type ClaimedJob = Pick<JobRow, (typeof CLAIMED)[number]>

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

export async function requeueJob(
  db: DatabaseTransaction,
  job: Pick<JobRow, 'kind' | 'videoId'>,
): Promise<void> {
  const now = timestamp()
  const fresh = { state: 'queued', runAfter: now, createdAt: now } as const
  await db
    .insertInto('jobs')
    .values({ ...job, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['videoId', 'kind'])
        .doUpdateSet({ ...fresh, failures: 0, interruptions: 0, percent: 0, error: null })
        .where('jobs.state', 'in', ['done', 'failed']),
    )
    .execute()
}

export type JobChange = Partial<
  Pick<
    JobRow,
    | 'state'
    | 'failures'
    | 'interruptions'
    | 'percent'
    | 'step'
    | 'speed'
    | 'secondsLeft'
    | 'error'
    | 'runAfter'
    | 'createdAt'
    | 'finishedAt'
    | 'nodeId'
    | 'makerId'
  > & { leaseUntil: RawBuilder<string> }
>

/** @returns false when another attempt or node has claimed it */
export async function updateClaimedJob(
  db: Database | DatabaseTransaction,
  input: { job: ClaimedJob; change: JobChange },
): Promise<boolean> {
  const { change } = input
  const end = change.state === undefined ? {} : { leaseUntil: null }
  const result = await db
    .updateTable('jobs')
    .set({ ...end, ...change })
    .where('id', '=', input.job.id)
    .where('attempt', '=', input.job.attempt)
    .where('nodeId', 'is not distinct from', input.job.nodeId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function isClaimed(db: Database, job: ClaimedJob): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', job.id)
    .where('attempt', '=', job.attempt)
    .where('nodeId', 'is not distinct from', job.nodeId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

export async function listJobsOfVideo(db: Database, videoId: number) {
  return db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .select(['jobs.id', 'kind', 'state', 'percent', 'step', 'speed', 'secondsLeft', 'error'])
    .select(shortSideOfVideo().as('shortSide'))
    .where('videoId', '=', videoId)
    .execute()
}

/**
 * Results of running processes are ignored.
 * @returns how many
 */
export async function updateCancelledJobs(
  db: DatabaseTransaction,
  input: { videoId: number; error: string },
): Promise<number> {
  const result = await db
    .updateTable('jobs')
    .set({ state: 'failed', error: input.error, finishedAt: timestamp() })
    .where('videoId', '=', input.videoId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function hasJobs(db: Database): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return job !== undefined
}

/**
 * Requeues failed jobs with fresh counters.
 * @returns how many
 */
export async function updateRetriedJobs(db: DatabaseTransaction, videoId: number): Promise<number> {
  const now = timestamp()
  const result = await db
    .updateTable('jobs')
    .set({
      state: 'queued',
      failures: 0,
      interruptions: 0,
      percent: 0,
      step: null,
      error: null,
      runAfter: now,
      createdAt: now,
      finishedAt: null,
    })
    .where('videoId', '=', videoId)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function updateRetriedVideo(db: DatabaseTransaction, id: number): Promise<void> {
  await db
    .updateTable('videos')
    .set({ processingState: 'processing', processingError: null })
    .where('id', '=', id)
    .where('processingState', '=', 'failed')
    .execute()
}

export async function findVideoToProcess(db: Database, videoId: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'title', 'mediaKey', 'isAnonymous', 'contentApproved'])
    .select(['width', 'height'])
    .where('id', '=', videoId)
    .where('processingState', '=', 'processing')
    .executeTakeFirst()
}

/** Undefined unless it plays. */
export async function findPlayableVideo(db: Database, videoId: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'mediaKey', 'videoUrl', 'thumbnailUrl', 'cardUrl', 'preview'])
    .where('id', '=', videoId)
    .where('processingState', '=', 'ready')
    .executeTakeFirst()
}

type ProcessedVideo = {
  videoFile: string
  duration: number
  width: number
  height: number
}

export async function updateProcessedVideo(
  db: DatabaseTransaction,
  input: { id: number; result: ProcessedVideo },
): Promise<void> {
  const { videoFile, ...facts } = input.result
  await db
    .updateTable('videos')
    .set({
      ...facts,
      videoUrl: addressOf(videoFile),
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

export async function updateGivenUpClips(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db
    .updateTable('clips')
    .set({ fileState: 'failed' })
    .where('videoId', '=', videoId)
    .where('fileState', '=', sql.lit('wanted'))
    .execute()
}

export async function updateRetriedClips(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db
    .updateTable('clips')
    .set({ fileState: 'wanted' })
    .where('videoId', '=', videoId)
    .where('fileState', '=', 'failed')
    .execute()
}

/** SQL: pixels; 0 while unknown. */
export function shortSideOfVideo() {
  return lesserOf(sql`coalesce("videos"."width", 0)`, sql`coalesce("videos"."height", 0)`)
}
