import { type FileHandle, lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'
import { isInFolder } from '#server/platform/path-in-folder.ts'
import { FileChangedError } from '#server/video/upload/local-file.ts'
import type { ForeignFile } from './foreign-library.ts'

/**
 * Follows symbolic links that stay in the folder.
 * @param input.root real path of the folder
 * @throws `invalid` for a path or link that leaves the folder, `not-found`
 */
export async function findContainedFile(input: {
  root: string
  path: string
}): Promise<ForeignFile> {
  const { root, path } = input
  const isPlain = path !== '' && !path.includes('\0') && !isAbsolute(path)
  if (!isPlain || path.split(/[/\\]/).includes('..')) throw outside()
  const real = await realpath(join(root, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES' || error.code === 'EIO') throw error
    return undefined
  })
  if (real === undefined) throw new AppError('not-found', 'The file is missing.')
  if (!isInFolder(real, root)) throw outside()
  const stats = await lstat(real)
  if (!stats.isFile()) throw new AppError('invalid', 'This is no file.')
  if (stats.size === 0) throw new AppError('invalid', 'The file is empty.')
  const bytes = stats.size
  return { bytes, changedAt: stats.mtime, open: () => openContainedFile(real, bytes) }
}

/** @throws FileChangedError if another file or a link has taken its place */
async function openContainedFile(path: string, bytes: number): Promise<FileHandle> {
  const file = await openPlainFile(path)
  if (file && (await file.stat()).size === bytes) return file
  await file?.close()
  throw new FileChangedError()
}

const outside = () => new AppError('invalid', 'The file lies outside the library.')
