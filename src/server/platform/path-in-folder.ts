import { isAbsolute, relative, sep } from 'node:path'

/** Compares the texts only. Also true for the folder itself. */
export function isInFolder(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
