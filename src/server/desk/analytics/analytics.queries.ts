import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
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

const isOf = (subject: Subject): RawBuilder<SqlBool> =>
  'videoId' in subject
    ? sql`"videos"."id" = ${subject.videoId}`
    : sql`"videos"."userId" = ${subject.userId}`

export async function readAnalytics(
  db: Database,
  input: { subject: Subject; days: number; now?: Date },
): Promise<Analytics> {
  const { subject, days, now = new Date() } = input
  const names = Array.from({ length: days }, (_, index) =>
    timestamp(new Date(now.getTime() - (days - 1 - index) * DAY_MS)).slice(0, 10),
  )
  const since = names[0] ?? ''
  const views = await sql<{ day: string; views: number }>`
    SELECT "dailyViews"."day", sum("dailyViews"."count") AS "views"
    FROM "videos" JOIN "dailyViews" ON "dailyViews"."videoId" = "videos"."id"
    WHERE ${isOf(subject)} AND "dailyViews"."day" >= ${since} GROUP BY "dailyViews"."day"`.execute(
    db,
  )
  const rest = await sql<{ day: string; watchSeconds: number; likes: number }>`
    SELECT "videoDays"."day", sum("videoDays"."watchSeconds") AS "watchSeconds", sum("videoDays"."likes") AS "likes"
    FROM "videos" JOIN "videoDays" ON "videoDays"."videoId" = "videos"."id"
    WHERE ${isOf(subject)} AND "videoDays"."day" >= ${since} GROUP BY "videoDays"."day"`.execute(db)
  const sources = await sql<{ source: ViewSource; views: number }>`
    SELECT "videoSources"."source", sum("videoSources"."views") AS "views"
    FROM "videos" JOIN "videoSources" ON "videoSources"."videoId" = "videos"."id"
    WHERE ${isOf(subject)} AND "videoSources"."day" >= ${since}
    GROUP BY "videoSources"."source" ORDER BY "views" DESC`.execute(db)
  const viewsOf = new Map(views.rows.map((row) => [row.day, row.views]))
  const restOf = new Map(rest.rows.map((row) => [row.day, row]))
  const rows = names.map((day) => ({
    day,
    views: viewsOf.get(day) ?? 0,
    watchSeconds: restOf.get(day)?.watchSeconds ?? 0,
    likes: restOf.get(day)?.likes ?? 0,
  }))
  const sum = (pick: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + pick(row), 0)
  const totals = {
    views: sum((row) => row.views),
    watchSeconds: sum((row) => row.watchSeconds),
    likes: sum((row) => row.likes),
  }
  return { totals, days: rows, sources: sources.rows }
}

export async function listTopVideos(
  db: Database,
  input: { userId: number; days: number; now?: Date },
) {
  const { userId, days, now = new Date() } = input
  const since = timestamp(new Date(now.getTime() - (days - 1) * DAY_MS)).slice(0, 10)
  const { rows } = await sql<{
    id: number
    title: string
    thumbnailUrl: string | null
    views: number
    watchSeconds: number
    likes: number
  }>`
    WITH "top" AS (
      SELECT "videos"."id", sum("dailyViews"."count") AS "views"
      FROM "videos" JOIN "dailyViews" ON "dailyViews"."videoId" = "videos"."id"
      WHERE "videos"."userId" = ${userId} AND "dailyViews"."day" >= ${since}
        AND "videos"."processingState" <> 'deleting'
      GROUP BY "videos"."id" ORDER BY "views" DESC, "videos"."id" DESC LIMIT ${TOP_VIDEOS}
    )
    SELECT "videos"."id", "videos"."title", "videos"."thumbnailUrl", "top"."views",
      coalesce((SELECT sum("watchSeconds") FROM "videoDays"
        WHERE "videoDays"."videoId" = "videos"."id" AND "videoDays"."day" >= ${since}), 0) AS "watchSeconds",
      coalesce((SELECT sum("likes") FROM "videoDays"
        WHERE "videoDays"."videoId" = "videos"."id" AND "videoDays"."day" >= ${since}), 0) AS "likes"
    FROM "top" JOIN "videos" ON "videos"."id" = "top"."id" ORDER BY "top"."views" DESC, "videos"."id" DESC`.execute(
    db,
  )
  return rows
}
