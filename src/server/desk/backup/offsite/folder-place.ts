import { createWriteStream } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  mkdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { CommandError } from '#server/platform/errors.ts'
import { findOddPart, openPlainFile } from '#server/platform/files/plain-files.ts'
import { listStoredFiles } from '../../site-check/stored-files.ts'
import { BackupRefusedError } from '../backup-refusal.ts'
import { readBoundedFile } from '../bounded-json.ts'
import { atMost, type BackupPlace, objectIsMissing, textIsTooLarge } from './backup-place.ts'

const PARTIAL = '.partial'

/**
 * May be a link; contains none.
 * @throws CommandError if missing: a new one would be on the site's own disk
 */
export async function openFolderPlace(target: string): Promise<BackupPlace> {
  const folder = await realpath(target).catch((error) => {
    if (!isMissing(error)) throw error
    throw new CommandError(
      `BACKUP_TARGET is ${target}, which is not there. Make the folder, or mount its disk.`,
    )
  })
  if (!(await stat(folder)).isDirectory()) {
    throw new CommandError(`BACKUP_TARGET is ${target}, which is no folder.`)
  }
  const open = async (name: string): Promise<FileHandle | undefined> => {
    await requirePlain(folder, name)
    return openPlainFile(join(folder, name))
  }
  const write = async (name: string, fill: (path: string) => Promise<void>) => {
    await requirePlain(folder, name)
    const path = join(folder, name)
    await rm(path + PARTIAL, { force: true })
    await mkdir(dirname(path), { recursive: true })
    await fill(path + PARTIAL)
    await syncFile(path + PARTIAL)
    await rename(path + PARTIAL, path)
    await syncFolder(dirname(path))
  }
  return {
    async list(prefix) {
      await requirePlain(folder, prefix)
      const files = [...(await listStoredFiles(join(folder, prefix)))]
      const complete = files.filter(([name]) => !name.endsWith(PARTIAL))
      return new Map(complete.map(([name, bytes]) => [prefix + name, bytes]))
    },
    put: (name, path) => write(name, (partial) => copyFile(path, partial)),
    putText: (name, text) => write(name, (partial) => writeFile(partial, text)),
    async fetch(name, { path, maxBytes }) {
      const file = await open(name)
      if (!file) throw objectIsMissing(name)
      await pipeline(file.createReadStream(), atMost(maxBytes, name), createWriteStream(path))
    },
    async readText(name) {
      const file = await open(name)
      if (!file) return undefined
      const text = await readBoundedFile(file)
      if (text === undefined) throw textIsTooLarge(name)
      return text
    },
    async remove(names) {
      for (const name of names) {
        await requirePlain(folder, name)
        await rm(join(folder, name), { force: true })
      }
    },
  }
}

async function requirePlain(folder: string, name: string): Promise<void> {
  const odd = await findOddPart(folder, name)
  if (odd) throw new BackupRefusedError(`The backup target cannot be used: its ${odd}.`)
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
