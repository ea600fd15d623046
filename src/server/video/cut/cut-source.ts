import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { exists } from '#server/platform/files/durable-files.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { fileIn } from '../media/media-address.ts'
import { requireEditable } from '../video/video.access.ts'
import { NO_SUCH_VIDEO, requireVideoOwner } from '../video/video.service.ts'
import { findCutSource, findOpenCut, isBeingReplaced } from './cut.queries.ts'

/**
 * A video of the viewer's that plays.
 * @throws AppError `not-found`, `forbidden` for others than its owner, `conflict` while it does not play
 */
export async function requireCuttable(
  db: Database,
  { videoId, viewer }: { videoId: number; viewer: Viewer },
) {
  requireEditable(await requireVideoOwner(db, { id: videoId, viewer }), viewer)
  return requirePlaying(db, videoId)
}

/** @throws AppError `not-found`, `conflict` while it does not play */
export async function requirePlaying(db: Database, videoId: number) {
  const video = await findCutSource(db, videoId)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  if (!video.videoUrl || video.processingState !== 'ready') {
    throw new AppError('conflict', 'This video does not play yet. Cut it when it does.')
  }
  return video
}

/** @throws AppError `conflict` while a member cuts a video, or its recording is being replaced */
export async function requireIdle(
  db: Database,
  { id, userId }: { id: number; userId: number },
): Promise<void> {
  const open = await findOpenCut(db, { videoId: id, userId })
  if (open?.processingState === 'processing') {
    throw new AppError('conflict', 'This video is being cut already. Wait until that is done.')
  }
  if (await isBeingReplaced(db, id)) {
    throw new AppError('conflict', 'The recording of this video is being replaced.')
  }
}

/** What a video is cut from: the upload while it is there, and else the best file. */
export async function findBestFile(
  { disk }: Pick<AppDeps, 'disk' | 'media'>,
  video: { mediaKey: string; videoUrl: string | null },
): Promise<string> {
  const folder = disk.mediaFolder(video.mediaKey)
  const names = [SOURCE_FILE, fileIn(video.videoUrl)].filter((name) => name !== null)
  for (const name of names) if (await exists(join(folder, name))) return join(folder, name)
  throw new AppError('conflict', 'The file of this video is missing.')
}
