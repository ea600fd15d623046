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
 * Puts finished files into the folder of a video that people may be watching. Their rows come first, as
 * retired ones, so that a crash at any point leaves nothing that the janitor does not know.
 * @param input.files names that no file of the video ever had, so that no cache has another's bytes, and what is put late
 * takes no other file's place
 * @param input.publish makes rows speak of the new files and retires what they replace
 * @returns what `publish` answers
 * @throws AppError `too-large` over the payer's quota, `no-space`, `not-found` when the video is deleted meanwhile, `conflict`
 * when it has another recording by now, and what `publish` throws
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

/** To whom files are charged, and the bytes that are counted for them already: what was planned, or came with an earlier attempt. */
export type Payer = { userId: number; planned?: (db: Database) => Promise<number> }

type Publication<Result> = {
  video: VideoFolder
  workFolder: string
  files: NewMediaFile[]
  /** Null for what is prepared of a video, whose size nobody knows beforehand. */
  payer: Payer | null
  publish: (transaction: DatabaseTransaction) => Promise<Result>
  /** The step at which all files are put. */
  moved?: Failpoint
}

/**
 * As `publishFiles`, for files that replace none; to be called with the folder's lock. Files that `publish` leaves retired,
 * because the work was somebody else's by then, are deleted again.
 */
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
      // What of them arrives later is for the janitor.
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
    // What cannot be removed now is for the janitor.
    await removeUnpublished().catch(() => {})
    throw error
  }
}

/**
 * Takes files out of a video's folder that `retire` says are no longer wanted.
 * @param input.kinds of which what is retired goes at once
 */
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

/** Whoever deletes a video marks it before it waits for the folder's lock: what is put now will be deleted then. */
async function requireFolder(
  transaction: DatabaseTransaction,
  { id, mediaKey }: VideoFolder,
): Promise<void> {
  const now = await findMediaKey(transaction, id)
  if (now === mediaKey) return
  if (now === undefined) throw new AppError('not-found', 'This video was deleted meanwhile.')
  throw new AppError('conflict', 'This video was changed meanwhile. Please try again.')
}

/** Pictures and captions go at once; a video file stays a day for those who are in the middle of it. */
async function removeReplacedFiles(
  deps: Deps,
  { id, mediaKey }: VideoFolder,
  kinds: FileKind[] = ['picture', 'captions'],
): Promise<void> {
  const files = await listRetiredFilesOfVideo(deps.db, { videoId: id, kinds })
  for (const file of files) await removeRetiredFile(deps, { ...file, videoId: id, mediaKey })
}

/**
 * Deletes a retired file and then its row; to be called with the folder's lock. While a backup runs, or the store does
 * not answer, it stays for the janitor.
 */
export async function removeRetiredFile(
  deps: Deps,
  file: { videoId: number; mediaKey: string; name: string; bytes: number | null },
): Promise<void> {
  const { videoId, mediaKey, name } = file
  // The lock of another node may have expired, so an attempt may still be about to publish the file.
  if (!(await updateDeletedFile(deps.db, { videoId, name }))) return
  const bytes = file.bytes ?? (await findBytes(deps, storeKey(mediaKey, name)))
  if (bytes === undefined || !(await removeMedia(deps, { mediaKey, name }))) return
  failpoint('retired.removed')
  await deleteRetiredFile(deps.db, { ...file, bytes })
}

/**
 * Counts what a video takes in the store; to be called with the folder's lock. Files that are announced but not stored
 * count too: their bytes are subtracted with their rows.
 */
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

/** @returns undefined when the store does not say now */
async function findBytes({ media }: Deps, key: string): Promise<number | undefined> {
  try {
    return (await media.stat(key))?.bytes ?? 0
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}
