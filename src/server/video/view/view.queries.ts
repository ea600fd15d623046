import { sql } from 'kysely'
import { BATCH_ROWS, inBatches } from '#server/platform/db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { ViewSource } from '#shared/view-source.ts'

export const REPEAT_MS = 6 * 60 * 60 * 1000
const FOLLOWED_MS = 2 * 60 * 60 * 1000

type View = { videoId: number; viewerKey: string }

/** @returns false within 6 hours of the viewer's last view */
export async function insertView(db: DatabaseTransaction, view: View): Promise<boolean> {
  const { viewerKey, videoId } = view
  const now = Date.now()
  const result = await sql`
    INSERT INTO "views" ("videoId", "viewerKey", "viewedAt")
    VALUES (${videoId}, ${viewerKey}, ${timestamp(new Date(now))})
    ON CONFLICT ("videoId", "viewerKey") DO UPDATE SET "viewedAt" = "excluded"."viewedAt"
    WHERE "views"."viewedAt" <= ${timestamp(new Date(now - REPEAT_MS))}`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}

export async function countRecentViews(
  db: DatabaseTransaction,
  input: { videoId: number; network: string },
): Promise<number> {
  const { count } = await db
    .selectFrom('views')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('videoId', '=', input.videoId)
    // Prefix range: '.' follows '-'.
    .where('viewerKey', '>', `${input.network}-`)
    .where('viewerKey', '<', `${input.network}.`)
    .where('viewedAt', '>', timestamp(new Date(Date.now() - REPEAT_MS)))
    .executeTakeFirstOrThrow()
  return count
}

export async function addView(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db
    .updateTable('videos')
    .set({ viewCount: sql`"viewCount" + 1` })
    .where('id', '=', videoId)
    .execute()
  const day = timestamp().slice(0, 10)
  // An upsert's conflict clause would also hold in the triggers that sum up days.
  const known = await db
    .updateTable('dailyViews')
    .set({ count: sql`"count" + 1` })
    .where('day', '=', day)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return
  await db.insertInto('dailyViews').values({ day, videoId, count: 1 }).execute()
}

/** Within 2 hours of the previous video. */
export async function addWatchedNext(db: DatabaseTransaction, view: View): Promise<void> {
  const since = timestamp(new Date(Date.now() - FOLLOWED_MS))
  await sql`
    INSERT INTO "watchedNext" ("videoId", "nextVideoId", "count")
    SELECT "videoId", ${view.videoId}, 1 FROM "views"
    WHERE "viewerKey" = ${view.viewerKey} AND "viewedAt" > ${since} AND "videoId" <> ${view.videoId}
    ORDER BY "viewedAt" DESC LIMIT 1
    ON CONFLICT ("videoId", "nextVideoId") DO UPDATE SET "count" = "watchedNext"."count" + 1`.execute(
    db,
  )
}

export async function addWatchSeconds(
  db: DatabaseTransaction,
  all: { videoId: number; seconds: number }[],
): Promise<void> {
  const day = timestamp().slice(0, 10)
  for (const { videoId, seconds } of all) {
    await sql`
      INSERT INTO "videoDays" ("videoId", "day", "watchSeconds")
      SELECT "id", ${day}, ${seconds} FROM "videos" WHERE "id" = ${videoId}
      ON CONFLICT ("videoId", "day") DO UPDATE SET
        "watchSeconds" = "videoDays"."watchSeconds" + "excluded"."watchSeconds"`.execute(db)
  }
}

export async function addViewSource(
  db: DatabaseTransaction,
  input: { videoId: number; source: ViewSource },
): Promise<void> {
  await db
    .insertInto('videoSources')
    .values({ ...input, day: timestamp().slice(0, 10), views: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['videoId', 'day', 'source'])
        .doUpdateSet({ views: sql`"videoSources"."views" + 1` }),
    )
    .execute()
}

/** Older views do not prevent another one. */
export async function deleteOldViews(db: Database): Promise<void> {
  const before = timestamp(new Date(Date.now() - REPEAT_MS))
  await inBatches(async () => {
    const result = await sql`
      DELETE FROM "views" WHERE ("videoId", "viewerKey") IN (
        SELECT "videoId", "viewerKey" FROM "views" WHERE "viewedAt" < ${before} LIMIT ${BATCH_ROWS}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}
