import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sizeOf } from '../durable-files.ts'
import { AppError } from '../errors.ts'
import { createKeyedLock } from '../locks/keyed-lock.ts'
import { forgetFiles } from './media-answer.ts'
import type { FileState, LocalCopy } from './media-store.ts'
import { removeFolder } from './remove-folder.ts'
import { isSafeKey, requireSafeName } from './safe-keys.ts'

const PARTIAL = '.partial'
const FREE_BYTES = 1024 * 1024 * 1024

/** Calls `write` again after a broken connection, but not for a missing file. */
type Download = (write: (body: Readable, state: FileState) => Promise<void>) => Promise<unknown>

type Arriving = { bytes: number; isUnwanted: boolean; body: Readable | undefined }

export type LocalCopies = Awaited<ReturnType<typeof openLocalCopies>>

/** LRU cache of remote files: atime is the last use, mtime the store's. */
export async function openLocalCopies(options: {
  folder: string
  bytes: number
  freeBytes: () => Promise<number>
}) {
  const { folder, freeBytes } = options
  /** Most recently used last. */
  const copies = new Map<string, { bytes: number; users: number }>()
  const arriving = new Map<string, Arriving>()
  const oneAtATime = createKeyedLock()
  const pathOf = (key: string) =>
    join(folder, ...key.replace(/\/$/, '').split('/').map(requireSafeName))
  let bytes = 0

  function add(key: string, size: number): void {
    const copy = forget(key) ?? { bytes: 0, users: 0 }
    copy.bytes = size
    copies.set(key, copy)
    bytes += size
  }

  function forget(key: string) {
    const copy = copies.get(key)
    if (copies.delete(key)) bytes -= copy?.bytes ?? 0
    return copy
  }

  async function shrink(): Promise<void> {
    for (const [key, { users }] of copies) {
      const more = [...arriving.values()].reduce((sum, file) => sum + file.bytes, 0)
      if (bytes + more <= options.bytes && (await freeBytes()) - more >= FREE_BYTES) return
      if (users > 0 || !forget(key)) continue
      await rm(pathOf(key), { force: true })
    }
  }

  async function arrive(key: string, download: Download): Promise<void> {
    const file: Arriving = { bytes: 0, isUnwanted: false, body: undefined }
    const path = pathOf(key)
    arriving.set(key, file)
    try {
      await download(async (body, state) => {
        try {
          if (file.isUnwanted) return
          file.body = body
          file.bytes = state.bytes
          await shrink()
          if ((await freeBytes()) < state.bytes) {
            throw new AppError('no-space', 'The server has no room left on its disk.')
          }
          await mkdir(dirname(path), { recursive: true })
          await pipeline(body, createWriteStream(path + PARTIAL))
          await utimes(path + PARTIAL, new Date(), state.modifiedAt)
        } finally {
          body.destroy()
        }
      })
      if (file.isUnwanted || (await sizeOf(path + PARTIAL)) !== file.bytes) return
      await rename(path + PARTIAL, path)
      add(key, file.bytes)
    } catch (error) {
      if (!file.isUnwanted) throw error
    } finally {
      arriving.delete(key)
      await rm(path + PARTIAL, { force: true })
    }
  }

  function lend(key: string): LocalCopy | undefined {
    const copy = copies.get(key)
    if (!copy) return undefined
    copy.users++
    touch(key)
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      copy.users--
      shrink().catch(() => {})
    }
    return { path: pathOf(key), release }
  }

  function touch(key: string): boolean {
    const copy = copies.get(key)
    if (!copy) return false
    copies.delete(key)
    copies.set(key, copy)
    return true
  }

  const found = await listFiles(folder)
  for (const { path, size } of found.sort((one, other) => one.usedAt - other.usedAt)) {
    const key = relative(folder, path).split(sep).join('/')
    if (path.endsWith(PARTIAL)) await rm(path, { force: true })
    else if (isSafeKey(key)) add(key, size)
  }
  await shrink()

  return {
    bytes: () => bytes,
    keys: () => [...copies.keys()],

    path: (key: string) => (touch(key) ? pathOf(key) : undefined),

    /** Kept until released. */
    use(key: string, download: Download): Promise<LocalCopy | undefined> {
      return oneAtATime(key, async () => {
        const copy = copies.get(key)
        if (copy && (await sizeOf(pathOf(key))) !== copy.bytes) forget(key)
        if (!copies.has(key)) await arrive(key, download)
        else await utimes(pathOf(key), new Date(), (await stat(pathOf(key))).mtime)
        return lend(key)
      })
    },

    async keep(key: string, from: string, state: FileState): Promise<void> {
      const file = arriving.get(key)
      if (file) file.isUnwanted = true
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      await rename(from, path)
      await utimes(path, new Date(), state.modifiedAt)
      add(key, state.bytes)
      await shrink()
    },

    /** A prefix ends in a slash. */
    async remove(prefix: string): Promise<void> {
      const isRemoved = (key: string) =>
        prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix
      for (const [key, file] of arriving) {
        if (!isRemoved(key)) continue
        file.isUnwanted = true
        file.body?.destroy()
      }
      for (const key of [...copies.keys()].filter(isRemoved)) forget(key)
      const path = pathOf(prefix)
      if (prefix.endsWith('/')) return removeFolder(path)
      await rm(path, { force: true })
      forgetFiles(path)
    },
  }
}

async function listFiles(folder: string) {
  await mkdir(folder, { recursive: true })
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  // Inner folders come last.
  for (const entry of entries.filter((entry) => entry.isDirectory()).reverse()) {
    await rmdir(join(entry.parentPath, entry.name)).catch(() => {})
  }
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, atimeMs: usedAt } = await stat(path)
      return { path, size, usedAt }
    }),
  )
}
