/** An upload from the inbox may read its file where it lies. See docs/decisions/0085-inbox.md. */
import { copyFile, lstat, readlink, realpath, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'

const NEXT_FILE = `${SOURCE_FILE}.next`

export async function isSourceLinked(disk: Disk, uploadId: string): Promise<boolean> {
  const path = join(disk.uploadFolder(uploadId), SOURCE_FILE)
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isSymbolicLink() ?? false
}

/**
 * @param input.path contains no symbolic links
 * @returns false where links are not allowed, as on Windows
 */
export async function linkSource(
  disk: Disk,
  { uploadId, path }: { uploadId: string; path: string },
): Promise<boolean> {
  const folder = disk.uploadFolder(uploadId)
  const next = join(folder, NEXT_FILE)
  await rm(next, { force: true })
  try {
    await symlink(path, next, 'file')
  } catch (error) {
    if (['EPERM', 'ENOSYS', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      return false
    }
    throw error
  }
  await rename(next, join(folder, SOURCE_FILE))
  await syncFolder(folder)
  return true
}

/**
 * @returns a function to call after the file was read
 * @throws `conflict` if the linked file was changed, moved, or is another one
 */
export async function watchSource(path: string): Promise<() => Promise<void>> {
  const target = await realpath(path).catch(() => undefined)
  const isLink = (await lstat(path)).isSymbolicLink()
  if (!target || (isLink && (await readlink(path)) !== target)) throw changedMeanwhile()
  const before = await describe(target)
  return async () => {
    if ((await describe(target)) !== before) throw changedMeanwhile()
  }
}

const changedMeanwhile = () =>
  new AppError('conflict', 'The file was changed or moved while it was read.')

async function describe(path: string): Promise<string | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined)
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(' ')
}

/** Stored files are never links. */
export async function replaceLink(folder: string): Promise<void> {
  const path = join(folder, SOURCE_FILE)
  if (!(await lstat(path)).isSymbolicLink()) return
  const next = join(folder, NEXT_FILE)
  await copyFile(path, next)
  await syncFile(next)
  await rename(next, path)
  await syncFolder(folder)
}
