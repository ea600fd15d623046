import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { isImportedVideo } from './imported-video.queries.ts'
import { videoPublished } from './video.events.ts'

/**
 * Raises `videoPublished` unless the video was published elsewhere before.
 * @returns ids of the members to notify after the commit
 */
export async function announceVideo(
  db: DatabaseTransaction,
  video: Parameters<typeof videoPublished.raise>[0]['video'],
): Promise<number[]> {
  if (await isImportedVideo(db, video.id)) return []
  return (await videoPublished.raise({ db, video })).flat()
}
