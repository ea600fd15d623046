import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { importIsRunning } from '../db/maintain.ts'
import { DATABASE_FILE } from '../db/open.ts'
import { exists } from '../durable-files.ts'
import { requireSafeName } from './safe-keys.ts'

export const RESTORE_FOLDER = 'restore.partial'
export const FETCH_FOLDER = 'restore.fetched'
/** In `work/`. */
export const IMPORT_FOLDER = 'import'

const RESERVED_DISK_BYTES = 32 * 1024 * 1024

/**
 * `uploads/<uploadId>/` for arriving files, `media/<mediaKey>/` for videos, `work/<name>/` for
 * jobs.
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
    /** @throws StoreError for an unsafe id */
    uploadFolder: (uploadId: string) => join(folders.uploads, requireSafeName(uploadId)),

    /** Also deletes leftovers of jobs, restores and imports. */
    async prepare(): Promise<void> {
      for (const name of [RESTORE_FOLDER, FETCH_FOLDER]) {
        await rm(join(dataFolder, name), { recursive: true, force: true })
      }
      const kept = importIsRunning(dataFolder) ? IMPORT_FOLDER : undefined
      for (const name of await readdir(folders.work).catch(() => [])) {
        if (name !== kept) await rm(join(folders.work, name), { recursive: true, force: true })
      }
      for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true })
    },

    async openWorkFolder(name: string): Promise<string> {
      const folder = join(folders.work, requireSafeName(name))
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      return folder
    },

    async freeBytes(): Promise<number> {
      const { bavail, bsize } = await statfs(dataFolder)
      return bavail * bsize - RESERVED_DISK_BYTES
    },
  }
}

/** Before the database was in place. */
export async function restoreWasInterrupted(dataFolder: string): Promise<boolean> {
  const [begun, fetched, done] = await Promise.all(
    [RESTORE_FOLDER, FETCH_FOLDER, DATABASE_FILE].map((name) => exists(join(dataFolder, name))),
  )
  return (begun === true || fetched === true) && done === false
}
