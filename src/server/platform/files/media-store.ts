import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { backupIsRunning, DATABASE_FILE } from '../db/database.ts'
import { forgetFiles } from './media-answer.ts'

/** Where a restore works in the data folder; gone when it is done. */
export const RESTORE_FOLDER = 'restore.partial'
/** What a restore fetches from elsewhere first. */
export const FETCH_FOLDER = 'restore.fetched'

/** Free room that uploads must leave on the disk. */
const RESERVED_DISK_BYTES = 32 * 1024 * 1024

/**
 * The folders of the data folder that hold files:
 * `uploads/<uploadId>/` while a file arrives, `media/<mediaKey>/` once it is a video,
 * `work/<name>/` for a job's unfinished output.
 */
export type MediaStore = ReturnType<typeof openMediaStore>

export function openMediaStore(dataFolder: string) {
  const folders = {
    uploads: join(dataFolder, 'uploads'),
    media: join(dataFolder, 'media'),
    work: join(dataFolder, 'work'),
  }
  return {
    folders,
    uploadFolder: (uploadId: string) => join(folders.uploads, uploadId),
    mediaFolder: (mediaKey: string) => join(folders.media, mediaKey),

    /** Makes the folders; what an earlier process left in `work/`, or a whole restore, is nobody's. */
    async prepare(): Promise<void> {
      for (const name of [RESTORE_FOLDER, FETCH_FOLDER]) {
        await rm(join(dataFolder, name), { recursive: true, force: true })
      }
      await rm(folders.work, { recursive: true, force: true })
      for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true })
    },

    /**
     * Deletes a folder below `media/` that no row names any more. While a backup runs it stays, and
     * is an orphan for the janitor.
     */
    async removeMediaFolder(mediaKey: string): Promise<void> {
      if (!backupIsRunning(dataFolder)) await removeFolder(join(folders.media, mediaKey))
    },

    /** Makes an empty folder for one job's output. */
    async openWorkFolder(name: string): Promise<string> {
      const folder = join(folders.work, name)
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      return folder
    },

    /** Bytes that may still be written before the disk counts as full. */
    async freeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(dataFolder)
      return bavail * bsize - RESERVED_DISK_BYTES
    },
  }
}

/** Whether a restore began in a data folder and has not yet put the database in its place. */
export async function restoreWasInterrupted(dataFolder: string): Promise<boolean> {
  const [begun, fetched, done] = await Promise.all(
    [RESTORE_FOLDER, FETCH_FOLDER, DATABASE_FILE].map((name) => exists(join(dataFolder, name))),
  )
  return (begun === true || fetched === true) && done === false
}

/** The file in an upload's or video's folder that holds the bytes as they were uploaded. */
export const SOURCE_FILE = 'source'

export function mediaUrl(mediaKey: string, file: string): string {
  return `/media/${mediaKey}/${file}`
}

/** Deletes a folder and all in it; one that is gone already is fine. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  forgetFiles(folder)
}

/** Moves a folder or file within the data folder and makes the move durable. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(join(from, '..'))
  await syncFolder(join(to, '..'))
}

/** Writes a file's data and its name to the disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the names in a folder durable. Windows cannot and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await syncFile(folder)
}

export async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== undefined
}

/** A file's size in bytes, or undefined when there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Bytes of all files directly in a folder. */
export async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))))
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
}
