import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import { type Disk, IMPORT_FOLDER } from '#server/platform/files/disk.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'

/** The file has no name, so that it goes when it is closed or the process ends. */
export async function openTemporaryFile({ folders }: Disk): Promise<FileHandle> {
  const path = join(folders.work, `${IMPORT_FOLDER}-${randomBytes(6).toString('hex')}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/**
 * Lets another process write a file.
 * @param make returns the path of the file in the folder
 * @returns the file, which goes when it is closed
 */
export function makeTemporaryFile(
  disk: Disk,
  make: (folder: string) => Promise<string>,
): Promise<FileHandle> {
  return inTemporaryFolder(disk, async (folder) => {
    const file = await openPlainFile(await make(folder))
    if (!file) throw new AppError('unprocessable', 'The file could not be made.')
    return file
  })
}

/** Calls `work` with the empty folder for made files, and deletes the folder afterwards. */
export async function inTemporaryFolder<Result>(
  disk: Disk,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(await disk.openWorkFolder(IMPORT_FOLDER))
  } finally {
    await clearTemporaryFiles(disk)
  }
}

/** Also deletes files that a killed import has left. */
export async function clearTemporaryFiles({ folders }: Disk): Promise<void> {
  await rm(join(folders.work, IMPORT_FOLDER), { recursive: true, force: true })
}
