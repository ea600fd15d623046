import { type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf, listOfTexts, secondsSince, timeIn } from '#server/platform/db/expressions.ts'
import type { JobRow } from '#server/platform/db/tables/job.ts'
import { CLAIMED, type ClaimedJob, shortSideOfVideo } from './job.queries.ts'
import { JOB_KINDS } from './job-kinds.ts'

/** Longer than any job is put off: one that is due later was put off by a clock that has been set back. */
const PUT_OFF_MAX_MS = 10 * 60 * 1000

/** SQL: the job may run. */
function isDue(now: string) {
  const unlikely = timestamp(new Date(Date.parse(now) + PUT_OFF_MAX_MS))
  return sql<SqlBool>`("runAfter" <= ${now} OR "runAfter" > ${unlikely})`
}

/** The jobs that a machine takes. */
export type JobAbility = {
  kinds: readonly JobRow['kind'][]
  /** Largest short side of the picture in pixels. */
  maxHeight: number
  /** Ids of jobs that it is not given. */
  avoids: ReadonlySet<number>
}

const ANY_JOB: JobAbility = {
  kinds: JOB_KINDS,
  maxHeight: Number.MAX_SAFE_INTEGER,
  avoids: new Set(),
}

export type DueJob = Pick<JobRow, 'id' | 'kind' | 'makerId'> & { shortSide: number }
export type JobHolder = Pick<JobRow, 'workerId' | 'nodeId'> & {
  /** How long it has the job without a word; null for a server that has its database for itself. */
  leaseMs: number | null
}

/** A server that has its database for itself holds the lock of the data folder, which is its lease. */
const SERVER: JobHolder = { workerId: null, nodeId: null, leaseMs: null }

/**
 * Takes the job whose turn it is among those that one of `abilities` suits, for whom `chooseHolder` says.
 * @returns undefined when none is due
 */
export async function claimNextJob(
  db: Database,
  abilities: JobAbility[] = [ANY_JOB],
  chooseHolder: (job: DueJob) => JobHolder = () => SERVER,
): Promise<ClaimedJob | undefined> {
  for (;;) {
    const due = await findDueJob(db, abilities)
    if (!due) return undefined
    const job = await claimJob(db, due, chooseHolder(due))
    // One that was cancelled meanwhile is not found again.
    if (job) return job
  }
}

async function findDueJob(db: Database, abilities: JobAbility[]): Promise<DueJob | undefined> {
  const suits = abilities.map(
    ({ kinds, maxHeight, avoids }) => sql`(
      "kind" IN ${listOfTexts(kinds)} AND "shortSide" <= ${maxHeight} AND "id" NOT IN ${listOf([...avoids])}
    )`,
  )
  return queueOrder(db)
    .where(isDue(timestamp()))
    .where(sql<SqlBool>`(${sql.join(suits, sql` OR `)})`)
    .select(['id', 'kind', 'shortSide', 'makerId'])
    .limit(1)
    .executeTakeFirst()
}

async function claimJob(
  db: Database,
  { id, makerId }: DueJob,
  { workerId, nodeId, leaseMs }: JobHolder,
): Promise<ClaimedJob | undefined> {
  return db
    .updateTable('jobs')
    .set({
      state: 'running',
      attempt: sql`"attempt" + 1`,
      percent: 0,
      step: null,
      speed: null,
      secondsLeft: null,
      startedAt: timestamp(),
      makerId,
      workerId,
      nodeId,
      leaseUntil: leaseMs === null ? null : timeIn(leaseMs),
    })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning(CLAIMED)
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

/** Pixels that a second's work is counted by: those of 720p. */
const PIXELS_PER_SECOND = 1280 * 720

/** A clip is short, however long its video is. */
const CLIP_COST = 60

const LONGEST_WAIT_SECONDS = 3600
/** What has no hurry waits for all others, but not for ever. */
const LONGEST_IDLE_SECONDS = 24 * 3600

/** The newest jobs, and clips, among which it is looked who was served last: the queue is read often. */
const SERVED_AMONG = 1000

/**
 * The queued jobs in the order in which they are taken. What makes a video playable, and clips that somebody is about to
 * share, go before what makes a video better, unless that waited for an hour, and montages come last, for a day at most; then
 * members take turns, who was served last comes last; then the quick go before the long, where each second of waiting counts
 * as a second less of work. A job of clips is there once for each member whose clips of that video wait: it is their turn
 * that it takes, not that of the video's owner.
 */
function queueOrder(db: Database | DatabaseTransaction) {
  const waited = secondsSince(sql.ref('jobs.createdAt'))
  const rank = sql`
    CASE WHEN "jobs"."kind" = 'montage' THEN CASE WHEN ${waited} > ${LONGEST_IDLE_SECONDS} THEN 0 ELSE 2 END
      WHEN "jobs"."kind" IN ('transcode', 'cut', 'clip') OR ${waited} > ${LONGEST_WAIT_SECONDS} THEN 0
      ELSE 1 END`
  const cost = sql`
    CASE WHEN "jobs"."kind" = 'clip' THEN ${CLIP_COST} ELSE
      "videos"."duration" * coalesce("videos"."width" * "videos"."height", 0) / ${PIXELS_PER_SECOND}
    END - ${waited}`
  const member = sql<number>`coalesce("waiting"."userId", "videos"."userId")`
  const underWay = sql`(
    SELECT count(*) FROM "jobs" AS "other" JOIN "videos" AS "theirs" ON "theirs"."id" = "other"."videoId"
    WHERE "other"."state" = 'running' AND coalesce("other"."makerId", "theirs"."userId") = ${member}
  )`
  const ofMember = sql`OVER (PARTITION BY ${member}, ${rank} ORDER BY ${cost}, "jobs"."id")`
  const queued = db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .leftJoin(clipMakers(db).as('waiting'), (join) =>
      join.onRef('waiting.videoId', '=', 'jobs.videoId').on('jobs.kind', '=', 'clip'),
    )
    .leftJoin(lastServed(db).as('served'), (join) => join.on('served.userId', '=', member))
    .select('waiting.userId as makerId')
    .select(['jobs.id', 'jobs.kind', 'jobs.runAfter', 'served.servedAt'])
    .select(shortSideOfVideo().as('shortSide'))
    .select(rank.as('rank'))
    .select(underWay.as('underWay'))
    .select(sql`row_number() ${ofMember}`.as('place'))
    .select(sql`first_value(${cost}) ${ofMember}`.as('quickest'))
    .select(sql`first_value("jobs"."id") ${ofMember}`.as('first'))
    .where('jobs.state', '=', 'queued')
  // Turns after the first keep the members in the order of the first.
  return db
    .selectFrom(queued.as('queue'))
    .orderBy('rank')
    .orderBy(sql`"underWay" + "place"`)
    .orderBy('place')
    .orderBy('servedAt', (order) => order.asc().nullsFirst())
    .orderBy('quickest')
    .orderBy('first')
}

/** The members whose clips of a video wait for their file. */
function clipMakers(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('clips')
    .select(['clips.videoId', 'clips.userId'])
    .where('clips.fileState', '=', sql.lit('wanted'))
    .groupBy(['clips.videoId', 'clips.userId'])
}

/**
 * When a job of each member was last taken, or the file of one of their clips begun. A time to come is of a clock that has
 * been set back.
 */
function lastServed(db: Database | DatabaseTransaction) {
  const now = timestamp()
  const jobs = db
    .selectFrom('jobs as recent')
    .innerJoin('videos as theirs', 'theirs.id', 'recent.videoId')
    .select(['theirs.userId', 'recent.startedAt as servedAt'])
    .where('recent.id', '>', sql<number>`(SELECT max("id") FROM "jobs") - ${SERVED_AMONG}`)
    .where('recent.kind', '<>', 'clip')
    .where('recent.startedAt', '<=', now)
  const clips = db
    .selectFrom('clips')
    .select(['clips.userId', 'clips.fileBegunAt as servedAt'])
    .where('clips.fileBegunAt', '<=', now)
    .orderBy('clips.fileBegunAt', 'desc')
    .limit(SERVED_AMONG)
  const newest = db.selectFrom(clips.as('newest')).select(['newest.userId', 'newest.servedAt'])
  return db
    .selectFrom(jobs.unionAll(newest).as('turns'))
    .select('turns.userId')
    .select((eb) => eb.fn.max('turns.servedAt').as('servedAt'))
    .groupBy('turns.userId')
}

/** The ids of the jobs that wait, in the order in which they will be taken. */
export async function listQueue(db: Database): Promise<number[]> {
  const rows = await queueOrder(db).select('id').execute()
  return [...new Set(rows.map((row) => row.id))]
}
