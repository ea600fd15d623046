import { type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { MoveTime } from '#shared/cut-times.ts'

type Exchange = { videoId: number; hiddenId: number }

export async function swapFoundMoments(
  db: DatabaseTransaction,
  { videoId, hiddenId }: Exchange,
): Promise<void> {
  const rows = await db
    .selectFrom('moments')
    .select(['id', 'videoId'])
    .where('videoId', 'in', [videoId, hiddenId])
    .where('userId', 'is', null)
    .execute()
  for (const row of rows) {
    await db
      .updateTable('moments')
      .set({ videoId: row.videoId === videoId ? hiddenId : videoId })
      .where('id', '=', row.id)
      .execute()
  }
}

/** They serve until the cut is analysed. */
export async function copyFoundMoments(
  db: DatabaseTransaction,
  { videoId, hiddenId, move }: Exchange & { move: MoveTime },
): Promise<void> {
  const rows = await db
    .selectFrom('moments')
    .select(['source', 'atSeconds', 'weight', 'title'])
    .where('videoId', '=', hiddenId)
    .where('userId', 'is', null)
    .execute()
  const createdAt = timestamp()
  for (const row of rows) {
    const { seconds, isKept } = move(row.atSeconds)
    if (!isKept) continue
    await db
      .insertInto('moments')
      .values({ ...row, atSeconds: seconds, videoId, userId: null, createdAt })
      .execute()
  }
}

export async function moveMarks(
  db: DatabaseTransaction,
  { videoId, move }: { videoId: number; move: MoveTime },
): Promise<void> {
  const rows = await db
    .selectFrom('moments')
    .select(['id', 'atSeconds'])
    .where('videoId', '=', videoId)
    .where('userId', 'is not', null)
    .execute()
  for (const { id, atSeconds } of rows) {
    const { seconds, isKept } = move(atSeconds)
    if (!isKept) await db.deleteFrom('moments').where('id', '=', id).execute()
    else {
      await db.updateTable('moments').set({ atSeconds: seconds }).where('id', '=', id).execute()
    }
  }
}
