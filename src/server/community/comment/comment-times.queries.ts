import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { type MoveTime, moveTimesInText } from '#shared/cut-times.ts'

/** Times mentioned in comments; on a clip they count from its beginning. */
export async function updateCommentTimes(
  db: DatabaseTransaction,
  input: { videoId: number; move: MoveTime; maxSeconds: number },
): Promise<void> {
  const comments = await db
    .selectFrom('comments')
    .select(['id', 'content'])
    .where('videoId', '=', input.videoId)
    .where('clipId', 'is', null)
    .where('content', 'like', '%:%')
    .execute()
  for (const { id, content } of comments) {
    const moved = moveTimesInText(content, input.move, input.maxSeconds)
    if (moved === content) continue
    await db.updateTable('comments').set({ content: moved }).where('id', '=', id).execute()
  }
}
