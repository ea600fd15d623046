import { readWhole } from '#server/platform/files/file-hash.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'

const READ_BYTES = 1024 * 1024

/** SHA-256; undefined for anything but a regular file. */
export async function hashPlainFile(path: string): Promise<string | undefined> {
  const file = await openPlainFile(path)
  if (!file) return undefined
  return (await readWhole(file.createReadStream({ highWaterMark: READ_BYTES }))).sha256
}
