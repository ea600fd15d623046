import { requireRoom } from '#server/account/room/room.service.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Failpoint, failpoint } from '#server/platform/failpoints.ts'
import { putFiles, StoreError, storeKey } from '#server/platform/files/media-store.ts'
import { removeMedia } from '#server/platform/files/remove-media.ts'
import { withFolderLock } from '../video/folder-lock.ts'
import { updateVideo } from '../video/video.queries.ts'
import { insertComingFiles, type NewMediaFile } from './media-file.queries.ts'
import { findMediaKey } from './media-folder.queries.ts'
import {
  deleteRetiredFile,
  listRetiredFilesOfVideo,
  listUnpublishedFiles,
  sumComingBytes,
  updateDeletedFile,
} from './retired-file.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media'>
type PublishDeps = Deps & Pick<AppDeps, 'disk'>
type VideoFolder = { id: number; mediaKey: string }
type FileKind = NewMediaFile['kind']

/**
 * Stores files for a visible video. Retired rows announce them to the janitor, for a crash.
 * @param input.files names never used before, as caches may have the old bytes
 * @param input.publish refers rows to the new files, retires replaced ones
 * @throws `too-large`, `no-space`, `not-found` during deletion, `conflict` for a changed recording,
 * and what `publish` throws
 */
export async function publishFiles<Result>(
  deps: PublishDeps,
  input: Publication<Result>,
): Promise<Result> {
  const { video } = input
  return withFolderLock(deps.db, video.mediaKey, async () => {
    try {
      return await addFiles(deps, input)
    } finally {
      await removeReplacedFiles(deps, video)
    }
  })
}

export type Payer = { userId: number; planned?: (db: Database) => Promise<number> }

type Publication<Result> = {
  video: VideoFolder
  workFolder: string
  files: NewMediaFile[]
  /** Null for derived files, of unknown size. */
  payer: Payer | null
  publish: (transaction: DatabaseTransaction) => Promise<Result>
  moved?: Failpoint
}

/** Requires the folder's lock. Deletes what `publish` leaves retired. */
export async function addFiles<Result>(
  deps: PublishDeps,
  input: Publication<Result>,
): Promise<Result> {
  const { config, db, disk, media } = deps
  const { video, workFolder, files, payer } = input
  const made = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
  const freeBytes = await disk.freeBytes()
  await inTransaction(db, async (transaction) => {
    await requireFolder(transaction, video)
    if (payer) {
      const planned = (await payer.planned?.(transaction)) ?? 0
      const { userId } = payer
      await requireRoom(transaction, { config, userId, freeBytes, bytes: made - planned })
    }
    await insertComingFiles(transaction, { videoId: video.id, files })
  })
  failpoint('files.announced')
  const { id: videoId, mediaKey } = video
  const names = files.map(({ name }) => name)
  try {
    await putFiles(media, { mediaKey, folder: workFolder, names })
  } catch (error) {
    for (const { name, bytes } of files) {
      await removeMedia(deps, { mediaKey, name })
      await deleteRetiredFile(db, { videoId, name, bytes })
    }
    throw error
  }
  failpoint(input.moved ?? 'files.moved')
  const removeUnpublished = async () => {
    const unwanted = await listUnpublishedFiles(db, { videoId, names })
    for (const file of unwanted) await removeRetiredFile(deps, { ...file, videoId, mediaKey })
  }
  try {
    const result = await inTransaction(db, input.publish)
    failpoint('files.published')
    await removeUnpublished()
    return result
  } catch (error) {
    // The janitor retries.
    await removeUnpublished().catch(() => {})
    throw error
  }
}

export async function retireFiles(
  deps: Deps,
  input: {
    video: VideoFolder
    retire: (transaction: DatabaseTransaction) => Promise<void>
    kinds?: FileKind[]
  },
): Promise<void> {
  await withFolderLock(deps.db, input.video.mediaKey, async () => {
    await inTransaction(deps.db, input.retire)
    await removeReplacedFiles(deps, input.video, input.kinds)
  })
}

/** A deletion marks the video before it waits for the lock. */
async function requireFolder(
  transaction: DatabaseTransaction,
  { id, mediaKey }: VideoFolder,
): Promise<void> {
  const now = await findMediaKey(transaction, id)
  if (now === mediaKey) return
  if (now === undefined) throw new AppError('not-found', 'This video was deleted meanwhile.')
  throw new AppError('conflict', 'This video was changed meanwhile. Please try again.')
}

/** Video files stay for a day, for viewers. */
async function removeReplacedFiles(
  deps: Deps,
  { id, mediaKey }: VideoFolder,
  kinds: FileKind[] = ['picture', 'captions'],
): Promise<void> {
  const files = await listRetiredFilesOfVideo(deps.db, { videoId: id, kinds })
  for (const file of files) await removeRetiredFile(deps, { ...file, videoId: id, mediaKey })
}

/** Requires the folder's lock. In a backup or outage the janitor retries. */
export async function removeRetiredFile(
  deps: Deps,
  file: { videoId: number; mediaKey: string; name: string; bytes: number | null },
): Promise<void> {
  const { videoId, mediaKey, name } = file
  // Another node may publish it after this lock has expired.
  if (!(await updateDeletedFile(deps.db, { videoId, name }))) return
  const bytes = file.bytes ?? (await findBytes(deps, storeKey(mediaKey, name)))
  if (bytes === undefined || !(await removeMedia(deps, { mediaKey, name }))) return
  failpoint('retired.removed')
  await deleteRetiredFile(deps.db, { ...file, bytes })
}

/** Requires the folder's lock. Announced files count: their bytes go with their rows. */
export async function recountStorage(
  { db, media }: Pick<AppDeps, 'db' | 'media'>,
  { id: videoId, mediaKey }: VideoFolder,
): Promise<void> {
  const stored = new Set<string>()
  let storedBytes = 0
  for await (const { key, bytes } of media.list(storeKey(mediaKey))) {
    stored.add(key.slice(storeKey(mediaKey, '').length))
    storedBytes += bytes
  }
  await inTransaction(db, async (transaction) => {
    const storageBytes = storedBytes + (await sumComingBytes(transaction, { videoId, stored }))
    await updateVideo(transaction, { id: videoId, change: { storageBytes } })
  })
}

/** @returns undefined during an outage */
async function findBytes({ media }: Deps, key: string): Promise<number | undefined> {
  try {
    return (await media.stat(key))?.bytes ?? 0
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}
