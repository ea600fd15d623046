import type { Database } from '#server/platform/db/database.ts'

export async function insertHiddenVideo(
  db: Database,
  input: { userId: number; videoId: number },
): Promise<void> {
  await db
    .insertInto('hiddenVideos')
    .values(input)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteHiddenVideo(
  db: Database,
  input: { userId: number; videoId: number },
): Promise<void> {
  await db
    .deleteFrom('hiddenVideos')
    .where('userId', '=', input.userId)
    .where('videoId', '=', input.videoId)
    .execute()
}
