import { realpath, stat } from 'node:fs/promises'
import { CommandError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { findContainedFile } from './contained-file.ts'
import type { ForeignArchive } from './foreign-library.ts'
import { openZipArchive } from './zip-archive.ts'

/**
 * Opens a ZIP archive, or a folder with its content.
 * @throws CommandError
 */
export async function openForeignArchive(
  path: string,
  { disk }: { disk: Disk },
): Promise<ForeignArchive> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats) throw new CommandError(`There is no file or folder ${path}.`)
  if (!stats.isDirectory()) return openZipArchive(path, { disk })
  const root = await realpath(path)
  return { find: (path) => findContainedFile({ root, path }), close: async () => {} }
}
