import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '#server/platform/errors.ts'
import { exists, syncFile, syncFolder } from '#server/platform/files/durable-files.ts'
import { listStoredFiles } from '../../site-check/stored-files.ts'
import { type BackupPlace, objectIsMissing } from './backup-place.ts'

const PARTIAL = '.partial'

/**
 * A folder on another disk, or one that another machine shares.
 * @throws CommandError when it is not there: made here, it would lie on the site's own disk
 */
export async function openFolderPlace(folder: string): Promise<BackupPlace> {
  if (!(await exists(folder))) {
    throw new CommandError(
      `BACKUP_TARGET is ${folder}, which is not there. Make the folder, or mount its disk.`,
    )
  }
  const write = async (name: string, fill: (path: string) => Promise<void>) => {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await fill(path + PARTIAL)
    await syncFile(path + PARTIAL)
    await rename(path + PARTIAL, path)
    await syncFolder(dirname(path))
  }
  return {
    async list(prefix) {
      const files = [...(await listStoredFiles(join(folder, prefix)))]
      const whole = files.filter(([name]) => !name.endsWith(PARTIAL))
      return new Map(whole.map(([name, bytes]) => [prefix + name, bytes]))
    },
    put: (name, path) => write(name, (partial) => copyFile(path, partial)),
    putText: (name, text) => write(name, (partial) => writeFile(partial, text)),
    fetch: (name, path) =>
      copyFile(join(folder, name), path).catch((error) => {
        throw isMissing(error) ? objectIsMissing(name) : error
      }),
    readText: (name) =>
      readFile(join(folder, name), 'utf8').catch((error) => {
        if (isMissing(error)) return undefined
        throw error
      }),
    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true })
    },
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
