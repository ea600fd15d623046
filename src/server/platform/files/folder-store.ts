import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { removeFolder, syncFile, syncFolder } from './durable-files.ts'
import type { FileState, FileToPut, MediaStore, StoredFile } from './media-store.ts'

/** Media in a folder of this machine, which also holds the files that are put into it. */
export function openFolderStore(root: string): MediaStore {
  const pathOf = (key: string) => join(root, ...key.split('/'))
  return {
    async put(files) {
      const folders = new Set<string>()
      for (const file of files) {
        const path = pathOf(file.key)
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
      const path = pathOf(prefix)
      if (!(await lstat(path).catch(ignoreMissing))) return
      await removeFolder(path)
      await syncFolder(dirname(path))
    },

    async localCopy(key) {
      const path = pathOf(key)
      return (await fileState(path)) && { path, release: () => {} }
    },

    localPath: pathOf,
  }
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
  const file = await open(path, 'r').catch(ignoreMissing)
  if (!file) return undefined
  return createReadStream(path, { fd: file, ...range })
}

async function fileState(path: string): Promise<FileState | undefined> {
  const found = await stat(path).catch(ignoreMissing)
  if (!found || found.isDirectory()) return undefined
  return { bytes: found.size, modifiedAt: found.mtime }
}

/** The sizes of the files of a folder are asked for at once: there are some tens of them. */
async function* listBelow(folder: string, prefix: string): AsyncGenerator<StoredFile> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? []
  const named = entries.map((entry) => ({
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
