import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MediaStore } from './media-store.ts'

export type MeasuredFile = {
  name: string
  bytes: number
  sha256: string
}

export async function measureFile(folder: string, name: string): Promise<MeasuredFile> {
  const path = join(folder, name)
  return { name, bytes: (await stat(path)).size, sha256: await hashFile(path) }
}

export async function hashFile(path: string): Promise<string> {
  return (await readWhole(createReadStream(path, { highWaterMark: 1024 * 1024 }))).sha256
}

export async function hashStored(media: MediaStore, key: string): Promise<string | undefined> {
  return (await measureStored(media, key))?.sha256
}

/** Reads the whole file; undefined if missing. */
export async function measureStored(
  media: MediaStore,
  key: string,
): Promise<Omit<MeasuredFile, 'name'> | undefined> {
  const body = await media.openRange(key)
  return body && readWhole(body)
}

export async function readWhole(body: Readable): Promise<Omit<MeasuredFile, 'name'>> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(body, async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
    }
  })
  return { bytes, sha256: hash.digest('hex') }
}
