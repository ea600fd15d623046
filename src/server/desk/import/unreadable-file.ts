import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { isInFolder } from '#server/platform/path-in-folder.ts'

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
