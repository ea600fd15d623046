import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backupIsRunning, type DatabaseTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { sizeOf, syncFile, syncFolder } from '#server/platform/files/durable-files.ts'
import { forgetFiles } from '#server/platform/files/media-answer.ts'
import { createKeyedLock } from '#server/platform/locks/keyed-lock.ts'
import {
  deleteRetiredFile,
  insertComingFiles,
  listRetiredFilesOfVideo,
  type NewMediaFile,
} from './media-file.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media'>
type VideoFolder = { id: number; mediaKey: string }

/**
 * Runs work after whatever else changes the files of the same media key, so that what is counted of a
 * folder and what is in it stay the same.
 */
export const withFolderLock = createKeyedLock()

/**
 * Puts finished files into the folder of a video that people may be watching. Their rows come first, as
 * retired ones, so that a crash at any point leaves nothing that the janitor does not know.
 * @param input.files names that no file of the video ever had, so that no cache has another's bytes
 * @param input.publish makes rows speak of the new files and retires what they replace
 * @returns what `publish` answers
 * @throws AppError `not-found` when the video is deleted meanwhile, and what `publish` throws
 */
export async function publishFiles<Result>(
  deps: Deps,
  input: Publication<Result>,
): Promise<Result> {
  const { video } = input
  return withFolderLock(video.mediaKey, async () => {
    try {
      return await addFiles(deps, input)
    } finally {
      await removeReplacedFiles(deps, video)
    }
  })
}

type Publication<Result> = {
  video: VideoFolder
  workFolder: string
  files: NewMediaFile[]
  publish: (transaction: DatabaseTransaction) => Promise<Result>
}

/** As `publishFiles`, for files that replace none; to be called with the folder's lock. */
export async function addFiles<Result>(
  { db, disk }: Pick<Deps, 'db' | 'disk' | 'media'>,
  input: Publication<Result>,
): Promise<Result> {
  const { video, workFolder, files } = input
  const folder = disk.mediaFolder(video.mediaKey)
  for (const { name } of files) await syncFile(join(workFolder, name))
  await db
    .transaction()
    .execute((transaction) => insertComingFiles(transaction, { videoId: video.id, files }))
  failpoint('files.announced')
  for (const { name } of files) await moveInto(folder, { from: workFolder, name })
  await syncFolder(folder)
  failpoint('files.moved')
  const result = await db.transaction().execute(input.publish)
  failpoint('files.published')
  return result
}

/** Takes files out of a video's folder that `retire` says are no longer wanted. */
export async function retireFiles(
  deps: Deps,
  input: { video: VideoFolder; retire: (transaction: DatabaseTransaction) => Promise<void> },
): Promise<void> {
  await withFolderLock(input.video.mediaKey, async () => {
    await deps.db.transaction().execute(input.retire)
    await removeReplacedFiles(deps, input.video)
  })
}

async function moveInto(folder: string, file: { from: string; name: string }): Promise<void> {
  try {
    await rename(join(file.from, file.name), join(folder, file.name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new AppError('not-found', 'This video was deleted meanwhile.')
  }
}

/** Pictures and captions go at once; a video file stays a day for those who are in the middle of it. */
async function removeReplacedFiles(deps: Deps, { id, mediaKey }: VideoFolder): Promise<void> {
  const files = await listRetiredFilesOfVideo(deps.db, {
    videoId: id,
    kinds: ['picture', 'captions'],
  })
  for (const file of files) await removeRetiredFile(deps, { ...file, videoId: id, mediaKey })
}

/**
 * Deletes a retired file and then its row; to be called with the folder's lock. While a backup runs it
 * stays for the janitor.
 */
export async function removeRetiredFile(
  { config, db, disk }: Deps,
  file: { videoId: number; mediaKey: string; name: string; bytes: number | null },
): Promise<void> {
  if (backupIsRunning(config.dataFolder)) return
  const folder = disk.mediaFolder(file.mediaKey)
  const path = join(folder, file.name)
  const found = await sizeOf(path)
  if (found !== undefined) {
    await rm(path, { force: true })
    forgetFiles(path)
    await syncFolder(folder)
  }
  failpoint('retired.removed')
  await deleteRetiredFile(db, { ...file, bytes: file.bytes ?? found ?? 0 })
}
