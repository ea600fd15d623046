import type { PageInput } from '#shared/field.schemas.ts'
import type { HistoryItem } from '#shared/library.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { type Database, type DatabaseTransaction, timestamp } from '../db/database.ts'
import { decodeCursor, toPage } from '../db/paging.ts'
import { isVisibleVideo } from '../video/video.access.ts'
import { selectVideos, toVideo } from '../video/video.queries.ts'

/** Stores where a member is in a video, unless they paused their history. */
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

/** Adds an item with its time, unless the member has one of that video. */
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

/** What a member watched, the latest first; `q` narrows it to titles that contain it. */
export async function listHistory(
  db: Database,
  input: PageInput & { viewer: Viewer; q?: string | undefined },
) {
  let query = selectVideos(db, input)
    .innerJoin('history', 'history.videoId', 'videos.id')
    .select(['history.positionSeconds', 'history.watchedAt'])
    .where('history.userId', '=', input.viewer.id)
    .where(isVisibleVideo(input.viewer))
    .orderBy('history.watchedAt', 'desc')
    .orderBy('history.videoId', 'desc')
    .limit(input.limit + 1)
  const text = input.q?.trim()
  if (text) {
    query = query.where((eb) =>
      eb(
        eb.fn<number>('instr', [
          eb.fn('foldText', ['videos.title']),
          eb.fn('foldText', [eb.val(text)]),
        ]),
        '>',
        0,
      ),
    )
  }
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('history.watchedAt', 'history.videoId'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.watchedAt, id: row.id }),
    item: (row): HistoryItem => ({
      video: toVideo(row, input.viewer),
      positionSeconds: row.positionSeconds,
      watchedAt: row.watchedAt,
    }),
  })
}

/** Where a member is in each of `videoIds` that they have begun. */
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
  let query = db.deleteFrom('history').where('userId', '=', input.userId)
  if (input.videoId !== undefined) query = query.where('videoId', '=', input.videoId)
  await query.execute()
}
