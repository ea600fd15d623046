import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Analytics } from '#shared/schemas/desk/analytics.schemas.ts'
import type { ViewSource } from '#shared/view-source.ts'

const DAY_MS = 86_400_000
const TOP_VIDEOS = 10

type Subject = { videoId: number } | { userId: number }

export async function hasVideos(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A part of a channel, of few milliseconds on SQLite. */
const VIDEOS_AT_A_TIME = 500

/** SQL: of one video, or of a part of a channel. Requests run between parts. */
async function* listParts(db: Database, subject: Subject): AsyncGenerator<RawBuilder<SqlBool>> {
  if ('videoId' in subject) {
    yield sql`"videos"."id" = ${subject.videoId}`
    return
  }
  const { userId } = subject
  for (let after = 0; ; ) {
    const { rows } = await sql<{ last: number | null; count: number }>`
      SELECT max("id") AS "last", count(*) AS "count" FROM (
        SELECT "id" FROM "videos" WHERE "userId" = ${userId} AND "id" > ${after}
        ORDER BY "id" LIMIT ${VIDEOS_AT_A_TIME}
      ) AS "next"`.execute(db)
    const { last = null, count = 0 } = rows[0] ?? {}
    if (last === null) return
    yield sql`("videos"."userId" = ${userId} AND "videos"."id" > ${after} AND "videos"."id" <= ${last})`
    if (count < VIDEOS_AT_A_TIME) return
    after = last
    await setImmediate()
  }
}

type Day = Analytics['days'][number]

export async function readAnalytics(
  db: Database,
  input: { subject: Subject; days: number; now?: Date },
): Promise<Analytics> {
  const { subject, days, now = new Date() } = input
  const names = Array.from({ length: days }, (_, index) =>
    timestamp(new Date(now.getTime() - (days - 1 - index) * DAY_MS)).slice(0, 10),
  )
  const since = names[0] ?? ''
  const ofDays = new Map<string, Day>(
    names.map((day) => [day, { day, views: 0, watchSeconds: 0, likes: 0 }]),
  )
  const ofSources = new Map<ViewSource, number>()
  for await (const isInPart of listParts(db, subject)) {
    const parts = [
      await listDailyViews(db, { isInPart, since }),
      await listVideoDays(db, { isInPart, since }),
    ]
    for (const { day, views = 0, watchSeconds = 0, likes = 0 } of parts.flat()) {
      const sums = ofDays.get(day)
      if (!sums) continue
      sums.views += views
      sums.watchSeconds += watchSeconds
      sums.likes += likes
    }
    for (const { source, views } of await listSources(db, { isInPart, since })) {
      ofSources.set(source, (ofSources.get(source) ?? 0) + views)
    }
  }
  const rows = [...ofDays.values()]
  const sum = (pick: (row: Day) => number) => rows.reduce((total, row) => total + pick(row), 0)
  const totals = {
    views: sum((row) => row.views),
    watchSeconds: sum((row) => row.watchSeconds),
    likes: sum((row) => row.likes),
  }
  const sources = [...ofSources].map(([source, views]) => ({ source, views }))
  return { totals, days: rows, sources: sources.sort((one, other) => other.views - one.views) }
}

type Part = { isInPart: RawBuilder<SqlBool>; since: string }
type DayOfPart = Pick<Day, 'day'> & Partial<Day>

async function listDailyViews(db: Database, { isInPart, since }: Part): Promise<DayOfPart[]> {
  const { rows } = await sql<Pick<Day, 'day' | 'views'>>`
    SELECT "dailyViews"."day", sum("dailyViews"."count") AS "views"
    FROM "videos" JOIN "dailyViews" ON "dailyViews"."videoId" = "videos"."id"
    WHERE ${isInPart} AND "dailyViews"."day" >= ${since} GROUP BY "dailyViews"."day"`.execute(db)
  return rows
}

async function listVideoDays(db: Database, { isInPart, since }: Part): Promise<DayOfPart[]> {
  const { rows } = await sql<Omit<Day, 'views'>>`
    SELECT "videoDays"."day", sum("videoDays"."watchSeconds") AS "watchSeconds", sum("videoDays"."likes") AS "likes"
    FROM "videos" JOIN "videoDays" ON "videoDays"."videoId" = "videos"."id"
    WHERE ${isInPart} AND "videoDays"."day" >= ${since} GROUP BY "videoDays"."day"`.execute(db)
  return rows
}

async function listSources(db: Database, { isInPart, since }: Part) {
  const { rows } = await sql<{ source: ViewSource; views: number }>`
    SELECT "videoSources"."source", sum("videoSources"."views") AS "views"
    FROM "videos" JOIN "videoSources" ON "videoSources"."videoId" = "videos"."id"
    WHERE ${isInPart} AND "videoSources"."day" >= ${since}
    GROUP BY "videoSources"."source"`.execute(db)
  return rows
}

export async function listTopVideos(
  db: Database,
  input: { userId: number; days: number; now?: Date },
) {
  const { userId, days, now = new Date() } = input
  const since = timestamp(new Date(now.getTime() - (days - 1) * DAY_MS)).slice(0, 10)
  let top: Viewed[] = []
  for await (const isInPart of listParts(db, { userId })) {
    const found = [...top, ...(await listMostViewed(db, { isInPart, since }))]
    top = found.sort((one, other) => other.views - one.views || other.id - one.id)
    top = top.slice(0, TOP_VIDEOS)
  }
  const { rows } = await sql<{
    id: number
    title: string
    thumbnailUrl: string | null
    watchSeconds: number
    likes: number
  }>`
    SELECT "videos"."id", "videos"."title", "videos"."thumbnailUrl",
      coalesce((SELECT sum("watchSeconds") FROM "videoDays"
        WHERE "videoDays"."videoId" = "videos"."id" AND "videoDays"."day" >= ${since}), 0) AS "watchSeconds",
      coalesce((SELECT sum("likes") FROM "videoDays"
        WHERE "videoDays"."videoId" = "videos"."id" AND "videoDays"."day" >= ${since}), 0) AS "likes"
    FROM "videos" WHERE "videos"."id" IN ${listOf(top.map(({ id }) => id))}`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return top.flatMap(({ id, views }) => {
    const row = byId.get(id)
    return row ? [{ ...row, views }] : []
  })
}

type Viewed = { id: number; views: number }

async function listMostViewed(db: Database, { isInPart, since }: Part): Promise<Viewed[]> {
  const { rows } = await sql<Viewed>`
    SELECT "videos"."id", sum("dailyViews"."count") AS "views"
    FROM "videos" JOIN "dailyViews" ON "dailyViews"."videoId" = "videos"."id"
    WHERE ${isInPart} AND "dailyViews"."day" >= ${since} AND "videos"."processingState" <> 'deleting'
    GROUP BY "videos"."id" ORDER BY "views" DESC, "videos"."id" DESC LIMIT ${TOP_VIDEOS}`.execute(
    db,
  )
  return rows
}
