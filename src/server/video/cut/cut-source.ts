import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { SOURCE_FILE, storeKey, withLocalCopies } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isBeingReplaced } from '../replacement/replacement.queries.ts'
import { keyOf } from '../video/media-address.ts'
import { requireEditable } from '../video/video.access.ts'
import { NO_SUCH_VIDEO, requireVideoOwner } from '../video/video.service.ts'
import { findCutSource, findOpenCut } from './cut.queries.ts'
import { copyIndex } from './index-copy.ts'

/** @throws `conflict` while it does not play */
export async function requireCuttable(
  db: Database,
  { videoId, viewer }: { videoId: number; viewer: Viewer },
) {
  requireEditable(await requireVideoOwner(db, { id: videoId, viewer }), viewer)
  return requirePlaying(db, videoId)
}

/** @throws `conflict` while it does not play */
export async function requirePlaying(db: Database, videoId: number) {
  const video = await findCutSource(db, videoId)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  if (!video.videoUrl || video.processingState !== 'ready') {
    throw new AppError('conflict', 'This video does not play yet. Cut it when it does.')
  }
  return video
}

/** @throws `conflict` during a cut or replacement */
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

type Stored = { mediaKey: string; videoUrl: string | null }
type StoredFile = { key: string; bytes: number }

/** @throws `conflict` without the original or a best file */
export async function requireBestFile(
  { media }: Pick<AppDeps, 'media'>,
  { mediaKey, videoUrl }: Stored,
): Promise<StoredFile> {
  const keys = [storeKey(mediaKey, SOURCE_FILE), keyOf(mediaKey, videoUrl)]
  return requireFirst({ media }, keys)
}

/** @throws `conflict` when missing */
export async function requirePlayedFile(
  { media }: Pick<AppDeps, 'media'>,
  { mediaKey, videoUrl }: Stored,
): Promise<StoredFile> {
  return requireFirst({ media }, [keyOf(mediaKey, videoUrl)])
}

async function requireFirst(
  { media }: Pick<AppDeps, 'media'>,
  keys: (string | null)[],
): Promise<StoredFile> {
  for (const key of keys) {
    const found = key && (await media.stat(key))
    if (found) return { key, bytes: found.bytes }
  }
  throw fileIsMissing()
}

/**
 * With a copy of a remote file's index.
 * @throws `conflict` when the file is missing, and what `work` throws
 */
export async function withIndex<Result>(
  { disk, media }: Pick<AppDeps, 'disk' | 'media'>,
  { key, bytes }: StoredFile,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  if (media.localPath(key) === undefined) {
    const folder = await disk.openWorkFolder(`index-${randomBytes(6).toString('hex')}`)
    const path = join(folder, SOURCE_FILE)
    try {
      if (await copyIndex({ media, key, bytes }, path)) return await work(path)
    } finally {
      await removeFolder(folder)
    }
  }
  return withLocalCopies(media, [key], async ([path]) => {
    if (path === undefined) throw fileIsMissing()
    return work(path)
  })
}

const fileIsMissing = () => new AppError('conflict', 'The file of this video is missing.')
