import { type Database, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideo } from '#server/video/video/video.service.ts'
import type { RestoreHistory } from '#shared/schemas/library.schemas.ts'
import { insertHistory } from './history.queries.ts'

/**
 * Also while paused. A newer item of the video stays.
 * @throws `invalid` when `watchedAt` is in the future
 */
export async function restoreHistory(
  db: Database,
  input: RestoreHistory & { viewer: Viewer },
): Promise<void> {
  const { videoId, watchedAt, viewer } = input
  const { duration } = await requireVideo(db, { id: videoId, viewer })
  if (watchedAt > timestamp()) throw new AppError('invalid', 'watchedAt lies in the future.')
  const positionSeconds = Math.min(input.positionSeconds, duration || input.positionSeconds)
  await insertHistory(db, { userId: viewer.id, videoId, positionSeconds, watchedAt })
}
