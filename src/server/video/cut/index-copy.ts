import { type FileHandle, open } from 'node:fs/promises'
import { type MediaStore, StoreError } from '#server/platform/files/media-store.ts'
import {
  listTopLevelBoxes,
  maxBoxes,
  maxIndexBytes,
  mp4Of,
} from '../processing/source/mp4-boxes.ts'

type Stored = { media: MediaStore; key: string; bytes: number }

/**
 * The index of a remote MP4, in a sparse file of the same size.
 * @returns false for another format or a fragmented index
 * @throws StoreError
 */
export async function copyIndex(stored: Stored, path: string): Promise<boolean> {
  const file = await open(path, 'wx+')
  try {
    await file.truncate(stored.bytes)
    const copied = await mp4Of(file)
    const read = async (start: number, length: number) => {
      await copyPart(stored, { file, start, length })
      return copied.read(start, length)
    }
    const boxes = await listTopLevelBoxes({ ...copied, read }, maxBoxes)
    const [first, index] = [boxes[0], boxes.find(({ type }) => type === 'moov')]
    const isInPieces = boxes.length === maxBoxes || boxes.some(({ type }) => type === 'moof')
    if (first?.type !== 'ftyp' || !index || isInPieces || index.size > maxIndexBytes) return false
    for (const { start, size: length } of [first, index]) {
      await copyPart(stored, { file, start, length })
    }
    return true
  } finally {
    await file.close()
  }
}

async function copyPart(
  { media, key, bytes }: Stored,
  { file, start, length }: { file: FileHandle; start: number; length: number },
): Promise<void> {
  const part = await media.openRange(key, { start, end: Math.min(start + length, bytes) - 1 })
  if (!part) throw new StoreError('away', `The store has ${key} no longer.`)
  let position = start
  for await (const piece of part as AsyncIterable<Buffer>) {
    await file.write(piece, 0, piece.length, position)
    position += piece.length
  }
}
