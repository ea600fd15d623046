import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { backupIsRunning } from '#server/platform/db/maintain.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { recountStorage } from '#server/video/media/media-folder.ts'
import { withFolderLock } from '#server/video/video/folder-lock.ts'
import { NO_SUCH_VIDEO } from '#server/video/video/video.service.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import {
  findStoredVideo,
  listFreeable,
  listStoredVideos,
  type StoredRow,
} from './storage.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media'>

const AT_A_TIME = 50

/** All files of a video but its original are listed. */
export async function readStoredVideos(
  { db }: Pick<Deps, 'db'>,
  input: PageInput & { q?: string | undefined; freeable: boolean },
) {
  const page = await listStoredVideos(db, input)
  const items = page.items.map(({ mediaKey: _, mayGo, listedBytes, ...video }) => {
    const originalBytes = Math.max(0, video.storageBytes - listedBytes)
    return { ...video, originalBytes, canFree: mayGo === 1 && originalBytes > 0 }
  })
  return { ...page, items }
}

/**
 * The video plays on, but cannot be processed from it.
 * @returns bytes freed
 * @throws `conflict` when needed, gone, or during a backup
 */
export async function freeOriginal(
  deps: Deps,
  input: { id: number; viewer: Viewer },
): Promise<{ bytes: number }> {
  requireNoBackup(deps)
  const video = await findStoredVideo(deps.db, input.id)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  const bytes = video.mayGo === 1 ? await removeOriginal(deps, video) : 0
  if (bytes === 0) {
    throw new AppError('conflict', 'This video has no original that could go.')
  }
  await insertAuditEntry(deps.db, {
    actor: input.viewer,
    action: 'video.free-original',
    target: { kind: 'video', id: video.id, name: video.title },
    reason: formatBytes(bytes),
  })
  return { bytes }
}

/**
 * Call until none is left.
 * @throws `conflict` during a backup
 */
export async function freeOriginals(
  deps: Deps,
  input: { viewer: Viewer },
): Promise<{ videos: number; bytes: number; hasMore: boolean }> {
  requireNoBackup(deps)
  const rows = await listFreeable(deps.db, AT_A_TIME + 1)
  let bytes = 0
  for (const video of rows.slice(0, AT_A_TIME)) bytes += await removeOriginal(deps, video)
  const videos = Math.min(rows.length, AT_A_TIME)
  if (videos > 0) {
    await insertAuditEntry(deps.db, {
      actor: input.viewer,
      action: 'video.free-original',
      target: { kind: 'site', id: null, name: `${videos} videos` },
      reason: formatBytes(bytes),
    })
  }
  return { videos, bytes, hasMore: rows.length > AT_A_TIME }
}

function requireNoBackup({ config }: Deps): void {
  if (!backupIsRunning(config.dataFolder)) return
  throw new AppError('conflict', 'A backup is running. Please try again when it is done.')
}

/** @returns bytes freed; 0 when work has begun or the file is missing */
async function removeOriginal(
  { db, media }: Deps,
  { id, mediaKey }: Pick<StoredRow, 'id' | 'mediaKey'>,
): Promise<number> {
  return withFolderLock(db, mediaKey, async () => {
    if ((await findStoredVideo(db, id))?.mayGo !== 1) return 0
    const key = storeKey(mediaKey, SOURCE_FILE)
    const bytes = (await media.stat(key))?.bytes ?? 0
    if (bytes > 0) await media.removePrefix(key)
    await recountStorage({ db, media }, { id, mediaKey })
    return bytes
  })
}
