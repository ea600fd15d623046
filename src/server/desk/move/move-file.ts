import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failpoint } from '#server/platform/failpoints.ts'
import { hashStored } from '#server/platform/files/file-hash.ts'
import { type MediaStore, StoreError } from '#server/platform/files/media-store.ts'
import { hashPlainFile } from '../backup/hash-file.ts'
import { linkOrCopy } from '../site-check/stored-files.ts'

export type Route = { from: MediaStore; to: MediaStore }

/**
 * Verifies by reading back; skips an identical file.
 * @param input.path temporary file
 * @returns false when it was deleted meanwhile, with the copy
 * @throws StoreError when the copy differs
 */
export async function copyStored(
  { from, to }: Route,
  input: { key: string; bytes: number; path: string },
): Promise<boolean> {
  const { key, bytes, path } = input
  if ((await to.stat(key))?.bytes === bytes) {
    const hash = await hashStored(from, key)
    if (hash !== undefined && hash === (await hashStored(to, key))) return true
  }
  const hash = await take(from, key, path)
  if (hash === undefined) return false
  try {
    await to.put([{ key, path }])
  } finally {
    await rm(path, { force: true })
  }
  failpoint('move.copied')
  if ((await from.stat(key)) === undefined) {
    // The site deletes from the source first, and from here while it knows this store.
    await to.removePrefix(key)
    return false
  }
  if ((await hashStored(to, key)) === hash) return true
  throw new StoreError('refused', `The new store has other bytes of ${key} than were put there.`)
}

async function take(from: MediaStore, key: string, path: string): Promise<string | undefined> {
  await rm(path, { force: true })
  const here = from.remote ? undefined : from.localPath(key)
  if (here !== undefined) {
    try {
      await linkOrCopy(here, path)
      return await hashPlainFile(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
  const body = await from.openRange(key)
  if (!body) return undefined
  const hash = createHash('sha256')
  const pieces = new PassThrough().on('data', (piece: Buffer) => hash.update(piece))
  await pipeline(body, pieces, createWriteStream(path))
  return hash.digest('hex')
}
