import { type FileHandle, open } from 'node:fs/promises'

/** An index (`moov`) larger than this is not believed. */
const maxIndexBytes = 64 * 1024 * 1024

/**
 * How much room the index of a remuxed MP4 will need, judged by the source's own, which lists the
 * same samples. Null when there is none to judge by, as in a fragmented file.
 */
export async function estimateIndexBytes(path: string): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const boxes = await listTopLevelBoxes(file)
    const index = boxes.find((box) => box.type === 'moov')
    const fragmented = boxes.some((box) => box.type === 'moof')
    if (!index || fragmented || index.size > maxIndexBytes) return null
    return Math.ceil(index.size * 1.02) + 4096
  } finally {
    await file.close()
  }
}

async function listTopLevelBoxes(file: FileHandle): Promise<{ type: string; size: number }[]> {
  const { size: fileSize } = await file.stat()
  const header = Buffer.alloc(16)
  const boxes: { type: string; size: number }[] = []
  let position = 0
  while (position + 8 <= fileSize && boxes.length < 100) {
    await file.read(header, 0, 16, position)
    const shortSize = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    const size = shortSize === 1 ? Number(header.readBigUInt64BE(8)) : shortSize
    boxes.push({ type, size })
    if (size < 8) break
    position += size
  }
  return boxes
}
