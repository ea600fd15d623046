import { type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf, listOfTexts, secondsSince, timeIn } from '#server/platform/db/expressions.ts'
import type { JobRow } from '#server/platform/db/tables/job.ts'
import { CLAIMED, type ClaimedJob, shortSideOfVideo } from './job.queries.ts'
import { JOB_KINDS } from './job-kinds.ts'

/** Longer than any delay: a later due time comes from a clock that was set back. */
const PUT_OFF_MAX_MS = 10 * 60 * 1000

function isDue(now: string) {
  const unlikely = timestamp(new Date(Date.parse(now) + PUT_OFF_MAX_MS))
  return sql<SqlBool>`("runAfter" <= ${now} OR "runAfter" > ${unlikely})`
}

export type JobAbility = {
  kinds: readonly JobRow['kind'][]
  /** Pixels of the shorter side. */
  maxHeight: number
  avoids: ReadonlySet<number>
}

const ANY_JOB: JobAbility = {
  kinds: JOB_KINDS,
  maxHeight: Number.MAX_SAFE_INTEGER,
  avoids: new Set(),
}

export type DueJob = Pick<JobRow, 'id' | 'kind' | 'makerId'> & { shortSide: number }
export type JobHolder = Pick<JobRow, 'workerId' | 'nodeId'> & {
  /** Null for a server with its own database. */
  leaseMs: number | null
}

/** The data folder's lock takes the place of a lease. */
const SERVER: JobHolder = { workerId: null, nodeId: null, leaseMs: null }

/** The next due one that suits one of `abilities`, for whom `chooseHolder` says. */
export async function claimNextJob(
  db: Database,
  abilities: JobAbility[] = [ANY_JOB],
  chooseHolder: (job: DueJob) => JobHolder = () => SERVER,
): Promise<ClaimedJob | undefined> {
  for (;;) {
    const due = await findDueJob(db, abilities)
    if (!due) return undefined
    const job = await claimJob(db, due, chooseHolder(due))
    // Another node was faster, or it was cancelled.
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

/** A second of video at this size costs 1 (720p). */
const PIXELS_PER_SECOND = 1280 * 720

/** A clip costs the same however long its video is. */
const CLIP_COST = 60

const LONGEST_WAIT_SECONDS = 3600
/** After this wait even the lowest priority ranks normally. */
const LONGEST_IDLE_SECONDS = 24 * 3600

/** Recent jobs and clips in which the last turn is searched: the queue is read often. */
const SERVED_AMONG = 1000

/**
 * In claiming order. Jobs that make a video playable, mixes and requested clip files come before ladders,
 * until those have waited for an hour; montages come last, for a day at most. Among equals members
 * take turns, the one served longest ago first; then short jobs come first, a second of waiting
 * counting as a second less of work. A job of clips appears once per member with waiting clips, and
 * takes that member's turn.
 */
function queueOrder(db: Database | DatabaseTransaction) {
  const waited = secondsSince(sql.ref('jobs.createdAt'))
  const rank = sql`
    CASE WHEN "jobs"."kind" = 'montage' THEN CASE WHEN ${waited} > ${LONGEST_IDLE_SECONDS} THEN 0 ELSE 2 END
      WHEN "jobs"."kind" IN ('transcode', 'cut', 'clip', 'align', 'mix') OR ${waited} > ${LONGEST_WAIT_SECONDS} THEN 0
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
    .select(sql`row_number() ${ofMember}`.as('position'))
    .select(sql`first_value(${cost}) ${ofMember}`.as('quickest'))
    .select(sql`first_value("jobs"."id") ${ofMember}`.as('first'))
    .where('jobs.state', '=', 'queued')
  // Ranks beyond a member's first job keep the order of the first ones.
  return db
    .selectFrom(queued.as('queue'))
    .orderBy('rank')
    .orderBy(sql`"underWay" + "position"`)
    .orderBy('position')
    .orderBy('servedAt', (order) => order.asc().nullsFirst())
    .orderBy('quickest')
    .orderBy('first')
}

function clipMakers(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('clips')
    .select(['clips.videoId', 'clips.userId'])
    .where('clips.fileState', '=', sql.lit('wanted'))
    .groupBy(['clips.videoId', 'clips.userId'])
}

/**
 * When each member last got a job or clip file. Future times come from a clock that was set back.
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

export async function listQueue(db: Database): Promise<number[]> {
  const rows = await queueOrder(db).select('id').execute()
  return [...new Set(rows.map((row) => row.id))]
}
