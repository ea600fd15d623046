import { createReadStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFile, syncFolder } from '../durable-files.ts'
import {
  type FileState,
  type FileToPut,
  type MediaStore,
  type StoredFile,
  StoreError,
} from './media-store.ts'
import { openPlainFile, statPlainFile } from './plain-files.ts'
import { removeFolder } from './remove-folder.ts'
import { guardKeys, isSafeName } from './safe-keys.ts'

/**
 * Root and areas, such as `media/`, may be links to other disks; below them no link is followed.
 */
export function openFolderStore(root: string): MediaStore {
  const pathOf = (key: string) => join(root, ...key.split('/'))
  return guardKeys({
    async put(files) {
      const folders = new Set<string>()
      for (const file of files) {
        const path = await pathToChange(root, file.key)
        const folder = dirname(path)
        if (!folders.has(folder) && (await mkdir(folder, { recursive: true })) !== undefined) {
          folders.add(dirname(folder))
        }
        folders.add(folder)
        await place(file, path)
      }
      for (const folder of folders) await syncFolder(folder)
    },

    async openRange(key, range) {
      return readable(pathOf(key), range)
    },

    stat: (key) => fileState(pathOf(key)),

    async *list(prefix) {
      yield* listBelow(pathOf(prefix), prefix)
    },

    async removePrefix(prefix) {
      const path = await pathToChange(root, prefix)
      if (!(await lstat(path).catch(ignoreMissing))) return
      await removeFolder(path)
      await syncFolder(dirname(path))
    },

    async localCopy(key) {
      const path = pathOf(key)
      return (await fileState(path)) && { path, release: () => {} }
    },

    localPath: pathOf,
  })
}

/** @throws StoreError for a link on the way */
async function pathToChange(root: string, key: string): Promise<string> {
  const parts = key.split('/').filter(Boolean)
  for (let end = 2; end < parts.length; end++) {
    const folder = join(root, ...parts.slice(0, end))
    if (!(await lstat(folder).catch(ignoreMissing))?.isSymbolicLink()) continue
    throw new StoreError(
      'refused',
      `The folder ${folder} is a link, which media do not lie behind.`,
    )
  }
  return join(root, ...parts)
}

async function place(file: FileToPut, path: string): Promise<void> {
  if ('path' in file) {
    await syncFile(file.path)
    await rename(file.path, path)
    return
  }
  const partial = `${path}.partial`
  await writeFile(partial, file.bytes, { flush: true })
  await rename(partial, path)
}

async function readable(
  path: string,
  range?: { start: number; end: number },
): Promise<Readable | undefined> {
  const file = await openPlainFile(path)
  if (!file) return undefined
  return createReadStream(path, { fd: file, ...range })
}

async function fileState(path: string): Promise<FileState | undefined> {
  const found = await statPlainFile(path)
  return found && { bytes: found.size, modifiedAt: found.mtime }
}

/** Concurrently, as a folder has tens of files. Ignores foreign names such as `lost+found`. */
async function* listBelow(folder: string, prefix: string): AsyncGenerator<StoredFile> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? []
  const own = entries.filter(({ name }) => isSafeName(name))
  const named = own.map((entry) => ({
    isFolder: entry.isDirectory(),
    key: `${prefix}${entry.name}${entry.isDirectory() ? '/' : ''}`,
    path: join(folder, entry.name),
    state: entry.isFile() ? fileState(join(folder, entry.name)) : undefined,
  }))
  for (const { isFolder, key, path, state } of named.sort(byKey)) {
    if (isFolder) yield* listBelow(path, key)
    const found = await state
    if (found) yield { key, ...found }
  }
}

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1)

function ignoreMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
