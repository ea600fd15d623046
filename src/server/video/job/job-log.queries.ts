import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { JOB_LOG_LINES, type Job } from '#shared/schemas/desk/storage.schemas.ts'
import { shortSideOfVideo } from './job.queries.ts'
import { waitingStep } from './processing-status.ts'

const TEXT_MAX = 2000

/** Keeps only the job's last lines. */
export async function insertJobLog(db: Database, jobId: number, text: string): Promise<void> {
  const line = { jobId, createdAt: timestamp(), text: text.slice(0, TEXT_MAX) }
  await db.insertInto('jobLog').values(line).execute()
  await sql`
    DELETE FROM "jobLog" WHERE "jobId" = ${jobId} AND "id" <= (
      SELECT "id" FROM "jobLog" WHERE "jobId" = ${jobId} ORDER BY "id" DESC LIMIT 1 OFFSET ${JOB_LOG_LINES}
    )`.execute(db)
}

export async function listJobLog(db: Database, jobId: number) {
  return db
    .selectFrom('jobLog')
    .select(['createdAt', 'text'])
    .where('jobId', '=', jobId)
    .orderBy('id')
    .execute()
}

/** Newest first; `q` is in titles and names. */
export async function listJobs(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  input: PageInput & { state?: Job['state'] | undefined; q?: string | undefined },
) {
  let query = db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .innerJoin('users', 'users.id', 'videos.userId')
    .leftJoin('workers', 'workers.id', 'jobs.workerId')
    .select(['jobs.id', 'jobs.kind', 'jobs.state', 'jobs.percent', 'jobs.step', 'jobs.secondsLeft'])
    .select(['jobs.attempt', 'jobs.failures', 'jobs.error', 'jobs.createdAt', 'jobs.startedAt'])
    .select(['jobs.finishedAt', 'videos.id as videoId', 'videos.title', 'videos.thumbnailUrl'])
    .select(['users.username as ownerName', 'workers.name as workerName'])
    .select(shortSideOfVideo().as('shortSide'))
    .orderBy('jobs.id', 'desc')
    .limit(input.limit + 1)
  if (input.state) query = query.where('jobs.state', '=', input.state)
  if (input.q) query = query.where(containsText(['videos.title', 'users.username'], input.q))
  if (input.cursor) query = query.where('jobs.id', '<', decodeCursor(input.cursor).id)
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: ({ videoId, title, thumbnailUrl, shortSide, workerName, ...job }): Job => ({
      ...job,
      step: job.state === 'queued' ? waitingStep({ ...job, shortSide }, jobs) : job.step,
      workerName: job.state === 'running' ? workerName : null,
      video: { id: videoId, title, thumbnailUrl },
    }),
  })
}
