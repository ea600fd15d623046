import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { retireOtherPictures, updateComingFiles } from '../media/media-file.queries.ts'

/** What a new picture can be made from; undefined when the video is being deleted. */
export async function findPosterSources(db: Database, id: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'mediaKey', 'videoUrl', 'storyboardUrl', 'duration', 'processingState'])
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
}

/**
 * Lets the picture made last stand for a video, and retires all others of it.
 * @throws AppError `not-found` when the video is being deleted
 */
export async function replacePoster(
  db: DatabaseTransaction,
  input: { id: number; thumbnailUrl: string; cardUrl: string | null; names: string[] },
): Promise<void> {
  const { id, thumbnailUrl, cardUrl, names } = input
  const result = await db
    .updateTable('videos')
    .set({ thumbnailUrl, cardUrl })
    .where('id', '=', id)
    .where('processingState', '<>', 'deleting')
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) {
    throw new AppError('not-found', 'This video was deleted meanwhile.')
  }
  await updateComingFiles(db, { videoId: id, names })
  await retireOtherPictures(db, { videoId: id, keep: names })
}
