import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { greaterOf, secondsSince } from '#server/platform/db/expressions.ts'
import { type JobSpeeds, speedKey } from './job-runner.ts'

/** Older ones may not fit the machine. */
const MEASURED_JOBS = 500

/** Seconds of video per second. */
export async function listJobSpeeds(db: Database): Promise<JobSpeeds> {
  const seconds = sql`(
    ${secondsSince(sql.ref('jobs.startedAt'))} - ${secondsSince(sql.ref('jobs.finishedAt'))}
  )`
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .select(['jobs.workerId', 'jobs.kind'])
    .select(sql<number>`sum("videos"."duration")`.as('done'))
    .select(sql<number>`sum(${greaterOf(seconds, sql`1`)})`.as('taken'))
    .where('jobs.state', '=', 'done')
    .where('jobs.id', '>', sql<number>`(SELECT max("id") FROM "jobs") - ${MEASURED_JOBS}`)
    .groupBy(['jobs.workerId', 'jobs.kind'])
    .execute()
  return new Map(rows.map((row) => [speedKey(row.workerId, row.kind), row.done / row.taken]))
}
