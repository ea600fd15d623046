import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { MoveTime } from '#shared/cut-times.ts'

export async function updatePositions(
  db: DatabaseTransaction,
  input: { videoId: number; move: MoveTime },
): Promise<void> {
  const rows = await db
    .selectFrom('history')
    .select(['userId', 'positionSeconds'])
    .where('videoId', '=', input.videoId)
    .execute()
  for (const { userId, positionSeconds } of rows) {
    const moved = Math.round(input.move(positionSeconds).seconds * 1000) / 1000
    if (moved === positionSeconds) continue
    await db
      .updateTable('history')
      .set({ positionSeconds: moved })
      .where('userId', '=', userId)
      .where('videoId', '=', input.videoId)
      .execute()
  }
}
