import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { type MoveTime, moveStretch } from '#shared/cut-times.ts'
import { CLIP_SECONDS_MIN } from '#shared/limits.ts'

/**
 * Moves the clips of a video whose recording was cut, or brought back. Of those of which hardly anything is left none
 * stays; the files of the others are of a recording that is no longer there.
 */
export async function moveClips(
  db: DatabaseTransaction,
  input: { videoId: number; move: MoveTime },
): Promise<void> {
  const clips = await db
    .selectFrom('clips')
    .select(['id', 'startSeconds', 'endSeconds'])
    .where('videoId', '=', input.videoId)
    .execute()
  for (const { id, ...stretch } of clips) {
    const moved = moveStretch(input.move, stretch)
    if (!moved || moved.endSeconds - moved.startSeconds < CLIP_SECONDS_MIN) {
      await db.deleteFrom('clips').where('id', '=', id).execute()
      continue
    }
    const noFiles = { fileState: 'none', shareFile: null, pictureFile: null } as const
    await db
      .updateTable('clips')
      .set({ ...moved, ...noFiles })
      .where('id', '=', id)
      .execute()
  }
}
