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
  /** In hexadecimal digits. */
  sha256: string
}

/** Size and hash of a file before anything carries it elsewhere. */
export async function measureFile(folder: string, name: string): Promise<MeasuredFile> {
  const path = join(folder, name)
  return { name, bytes: (await stat(path)).size, sha256: await hashFile(path) }
}

/** A file's SHA-256 in hexadecimal digits. */
export async function hashFile(path: string): Promise<string> {
  return (await readWhole(createReadStream(path, { highWaterMark: 1024 * 1024 }))).sha256
}

/** The SHA-256 of a stored file in hexadecimal digits; undefined when there is none. */
export async function hashStored(media: MediaStore, key: string): Promise<string | undefined> {
  return (await measureStored(media, key))?.sha256
}

/** What a store holds under a key, read from end to end; undefined when there is nothing. */
export async function measureStored(
  media: MediaStore,
  key: string,
): Promise<Omit<MeasuredFile, 'name'> | undefined> {
  const body = await media.openRange(key)
  return body && readWhole(body)
}

/** Reads a stream to its end. */
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
