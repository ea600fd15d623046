import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { isInFolder } from '#server/platform/path-in-folder.ts'
import type { ForeignProblem } from './foreign-library.ts'

const READING = ['open', 'read', 'stat', 'lstat', 'realpath', 'scandir', 'opendir']
const NOT_ALLOWED = ['EACCES', 'EPERM']

/**
 * Returns an AppError for an error of the system while a library is read, so that one unreadable file does not end the
 * import. Other errors, also those of the site's own files, are returned as they are.
 */
export function explainUnreadable(error: unknown, { folders }: Disk): unknown {
  const { code = '', syscall = '', path = '' } = error as NodeJS.ErrnoException
  const isOwn = path !== '' && Object.values(folders).some((folder) => isInFolder(path, folder))
  if (!READING.includes(syscall) || isOwn) return error
  const sentence = NOT_ALLOWED.includes(code)
    ? 'The site may not read this file.'
    : `The file could not be read (${code}).`
  return new AppError('unprocessable', sentence)
}

export type OnUnreadable = (folder: string) => void

/**
 * Lists a folder of a library, which may have folders that the site may not read, such as `lost+found`.
 * @param folder relative to `root`
 * @throws the system's error if `root` itself cannot be read
 */
export async function listEntries(
  root: string,
  folder: string,
  onUnreadable: OnUnreadable,
): Promise<Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    if (folder === '') throw error
    onUnreadable(folder)
    return []
  }
}

export const describeUnreadable = (path: string): ForeignProblem => ({
  path,
  sentence: 'The site cannot read this folder.',
})
