import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { openPlainFile } from '#server/platform/files/plain-files.ts'

const READ_BYTES = 1024 * 1024

/** The SHA-256 of a plain file in hexadecimal digits; undefined where there is none. */
export async function hashFile(path: string): Promise<string | undefined> {
  const file = await openPlainFile(path)
  if (!file) return undefined
  const hash = createHash('sha256')
  await pipeline(file.createReadStream({ highWaterMark: READ_BYTES }), hash)
  return hash.digest('hex')
}
