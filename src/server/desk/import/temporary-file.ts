import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'

const FOLDER = 'import'

/** The file has no name, so that it goes when it is closed or the process ends. */
export async function openTemporaryFile({ folders }: Disk): Promise<FileHandle> {
  const path = join(folders.work, `${FOLDER}-${randomBytes(6).toString('hex')}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/**
 * Lets another process write a file into an empty folder, of which there is one. The folder is deleted.
 * @param make returns the path of the file
 * @returns the file, which goes when it is closed
 */
export async function makeTemporaryFile(
  disk: Disk,
  make: (folder: string) => Promise<string>,
): Promise<FileHandle> {
  const folder = await disk.openWorkFolder(FOLDER)
  try {
    const file = await openPlainFile(await make(folder))
    if (!file) throw new AppError('unprocessable', 'The file could not be made.')
    return file
  } finally {
    await clearTemporaryFiles(disk)
  }
}

/** Also deletes what a killed import has left. */
export async function clearTemporaryFiles({ folders }: Disk): Promise<void> {
  await rm(join(folders.work, FOLDER), { recursive: true, force: true })
}
