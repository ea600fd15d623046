import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { type MediaStore, StoreError } from '#server/platform/files/media-store.ts'
import { listTopLevelBoxes, maxBoxes, maxIndexBytes } from '../processing/source/mp4-boxes.ts'

/**
 * Writes a file of what an MP4 in a store says of itself: as large, with the same index, and with zeros that take no room in
 * the place of pictures and sound. However long the recording is, a few small parts of it travel.
 * @returns false for what is no MP4, or has its index in pieces
 * @throws StoreError
 */
export async function copyIndex(
  media: MediaStore,
  { key, bytes, path }: { key: string; bytes: number; path: string },
): Promise<boolean> {
  const file = await open(path, 'wx')
  /** What is read of the recording stands in the file too. */
  const read = async (start: number, length: number) => {
    const end = Math.min(start + length, bytes) - 1
    const body = await media.openRange(key, { start, end })
    if (!body) throw new StoreError('away', `The store has ${key} no longer.`)
    const part = await buffer(body)
    await file.write(part, 0, part.length, start)
    return part
  }
  try {
    await file.truncate(bytes)
    const boxes = await listTopLevelBoxes({ bytes, read }, maxBoxes)
    const [first, index] = [boxes[0], boxes.find(({ type }) => type === 'moov')]
    const isInPieces = boxes.length === maxBoxes || boxes.some(({ type }) => type === 'moof')
    if (first?.type !== 'ftyp' || !index || isInPieces || index.size > maxIndexBytes) return false
    for (const { start, size } of [first, index]) await read(start, size)
    return true
  } finally {
    await file.close()
  }
}
