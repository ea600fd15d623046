import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { BATCH_ROWS, inBatches } from '#server/platform/db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { containsFolded, foldedText } from '#server/platform/db/expressions.ts'
import { decodeCursor, type Position, toPage } from '#server/platform/db/paging.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { HistoryItem } from '#shared/schemas/library.schemas.ts'

/** Read at once by a title search. */
const RANGE_ROWS = 5000
const NEWEST = 200
const BEGUN_SECONDS = 5

/** Skipped while the history is paused. */
export async function upsertProgress(
  db: DatabaseTransaction,
  input: { userId: number; videoId: number; positionSeconds: number },
): Promise<void> {
  if (await historyIsPaused(db, input.userId)) return
  const { positionSeconds } = input
  const watchedAt = timestamp()
  await db
    .insertInto('history')
    .values({ ...input, watchedAt })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'videoId']).doUpdateSet({ positionSeconds, watchedAt }),
    )
    .execute()
}

/** Skipped when the video has an item. */
export async function insertHistory(
  db: Database,
  item: { userId: number; videoId: number; positionSeconds: number; watchedAt: string },
): Promise<void> {
  await db
    .insertInto('history')
    .values(item)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function historyIsPaused(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('historyPaused')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.historyPaused === 1
}

export async function updateHistoryPaused(
  db: Database,
  input: { userId: number; paused: boolean },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ historyPaused: input.paused ? 1 : 0 })
    .where('id', '=', input.userId)
    .execute()
}

/**
 * Latest first.
 * @param input.q part of a title
 */
export async function listHistory(
  db: Database,
  input: PageInput & { viewer: Viewer; q?: string | undefined },
) {
  const text = input.q?.trim()
  const after = input.cursor ? decodeCursor(input.cursor) : undefined
  const rows = text
    ? await findTitles(db, { ...input, text, after })
    : await selectHistory(db, { ...input, after })
        .limit(input.limit + 1)
        .execute()
  return toPage(rows, input.limit, {
    position: (row) => ({ time: row.watchedAt, id: row.id }),
    item: (row): HistoryItem => ({
      video: toVideo(row, input.viewer),
      positionSeconds: row.positionSeconds,
      watchedAt: row.watchedAt,
    }),
  })
}

type HistoryRange = { viewer: Viewer; after: Position | undefined; upTo?: Position | undefined }

function selectHistory(db: Database, { viewer, after, upTo }: HistoryRange) {
  let query = selectVideos(db, { viewer })
    .innerJoin('history', 'history.videoId', 'videos.id')
    .select(['history.positionSeconds', 'history.watchedAt'])
    .where('history.userId', '=', viewer.id)
    .where(isVisibleVideo(viewer))
    .orderBy('history.watchedAt', 'desc')
    .orderBy('history.videoId', 'desc')
  if (after) query = query.where(comparesPlace('<', after))
  if (upTo) query = query.where(comparesPlace('>=', upTo))
  return query
}

/** In ranges: requests run in between. */
async function findTitles(db: Database, input: PageInput & HistoryRange & { text: string }) {
  const { viewer, text, limit } = input
  const title = foldedText(sql`"videos"."title"`)
  const found: Awaited<ReturnType<ReturnType<typeof selectHistory>['execute']>> = []
  let { after } = input
  for (;;) {
    const upTo = await findRangeEnd(db, { viewer, after })
    const rows = await selectHistory(db, { viewer, after, upTo })
      .where(containsFolded(title, text))
      .limit(limit + 1 - found.length)
      .execute()
    found.push(...rows)
    if (found.length > limit || !upTo) return found
    after = upTo
    await setImmediate()
  }
}

/** @returns last position of the next range; undefined when fewer rows are left */
async function findRangeEnd(db: Database, { viewer, after }: HistoryRange) {
  let query = db
    .selectFrom('history')
    .select(['history.watchedAt as time', 'history.videoId as id'])
    .where('history.userId', '=', viewer.id)
    .orderBy('history.watchedAt', 'desc')
    .orderBy('history.videoId', 'desc')
    .offset(RANGE_ROWS - 1)
    .limit(1)
  if (after) query = query.where(comparesPlace('<', after))
  return query.executeTakeFirst()
}

function comparesPlace(comparison: '<' | '>=', { time, id }: Position): RawBuilder<SqlBool> {
  const place = sql`("history"."watchedAt", "history"."videoId")`
  const other = sql`(${time}, ${id})`
  return comparison === '<' ? sql`${place} < ${other}` : sql`${place} >= ${other}`
}

/**
 * Public videos watched for at least 5 seconds and not into the last tenth, latest first, among the
 * newest 200.
 */
export async function listUnfinished(db: Database, input: { viewer: Viewer; limit: number }) {
  const { viewer, limit } = input
  const newest = db
    .selectFrom('history')
    .select('videoId')
    .where('userId', '=', viewer.id)
    .orderBy('watchedAt', 'desc')
    .limit(NEWEST)
  const rows = await selectHistory(db, { viewer, after: undefined })
    .where('history.videoId', 'in', newest)
    .where('history.positionSeconds', '>=', BEGUN_SECONDS)
    .where(sql<SqlBool>`"history"."positionSeconds" < "videos"."duration" * 0.9`)
    .limit(limit)
    .execute()
  return rows.map((row) => toVideo(row, viewer))
}

export async function listPositions(db: Database, input: { userId: number; videoIds: number[] }) {
  if (input.videoIds.length === 0) return []
  return db
    .selectFrom('history')
    .select(['videoId', 'positionSeconds'])
    .where('userId', '=', input.userId)
    .where('videoId', 'in', input.videoIds)
    .execute()
}

export async function deleteHistory(
  db: Database,
  input: { userId: number; videoId?: number },
): Promise<void> {
  const { userId, videoId } = input
  if (videoId !== undefined) {
    await db
      .deleteFrom('history')
      .where('userId', '=', userId)
      .where('videoId', '=', videoId)
      .execute()
    return
  }
  await inBatches(async () => {
    const some = db
      .selectFrom('history')
      .select('videoId')
      .where('userId', '=', userId)
      .limit(BATCH_ROWS)
    const result = await db
      .deleteFrom('history')
      .where('userId', '=', userId)
      .where('videoId', 'in', some)
      .executeTakeFirst()
    return Number(result.numDeletedRows)
  })
}
