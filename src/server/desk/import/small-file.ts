import { openPlainFile } from '#server/platform/files/plain-files.ts'
import { readAt } from '#server/video/upload/local-file.ts'

/** @returns undefined if it is missing or no plain file, and no bytes if it is larger than `bytesMax` */
export async function readSmallFile(path: string, bytesMax: number): Promise<Buffer | undefined> {
  const file = await openPlainFile(path)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    return size > bytesMax ? Buffer.alloc(0) : await readAt(file, 0, size)
  } finally {
    await file.close()
  }
}
