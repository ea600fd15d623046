import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MediaStore } from './media-store.ts'

/** A file's SHA-256 in hexadecimal digits. */
export function hashFile(path: string): Promise<string> {
  return hashStream(createReadStream(path, { highWaterMark: 1024 * 1024 }))
}

/** The SHA-256 of a stored file in hexadecimal digits; undefined when there is none. */
export async function hashStored(media: MediaStore, key: string): Promise<string | undefined> {
  const body = await media.openRange(key)
  return body && hashStream(body)
}

async function hashStream(body: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(body, hash)
  return hash.digest('hex')
}
