import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FILE } from '../db/open.ts'
import { exists } from '../durable-files.ts'
import { requireSafeName } from './safe-keys.ts'

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
export type Disk = ReturnType<typeof openDisk>

export function openDisk(dataFolder: string) {
  const folders = {
    uploads: join(dataFolder, 'uploads'),
    media: join(dataFolder, 'media'),
    work: join(dataFolder, 'work'),
  }
  return {
    folders,
    /** @throws StoreError for an id that could lead out of `uploads/` */
    uploadFolder: (uploadId: string) => join(folders.uploads, requireSafeName(uploadId)),

    /** Makes the folders; what an earlier process left in `work/`, or a whole restore, is nobody's. */
    async prepare(): Promise<void> {
      for (const name of [RESTORE_FOLDER, FETCH_FOLDER]) {
        await rm(join(dataFolder, name), { recursive: true, force: true })
      }
      await rm(folders.work, { recursive: true, force: true })
      for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true })
    },

    /** Makes an empty folder for one job's output. */
    async openWorkFolder(name: string): Promise<string> {
      const folder = join(folders.work, requireSafeName(name))
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
