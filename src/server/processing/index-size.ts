import { open } from 'node:fs/promises'
import { listTopLevelBoxes } from './mp4-boxes.ts'

/** An index (`moov`) larger than this is not believed. */
const maxIndexBytes = 64 * 1024 * 1024

/** A fragmented file has thousands, and shows itself long before. */
const maxBoxes = 100

/**
 * How much room the index of a remuxed MP4 will need, judged by the source's own, which lists the
 * same samples. Null when there is none to judge by, as in a fragmented file.
 */
export async function estimateIndexBytes(path: string): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const boxes = await listTopLevelBoxes(file, maxBoxes)
    const index = boxes.find((box) => box.type === 'moov')
    const fragmented = boxes.some((box) => box.type === 'moof')
    if (!index || fragmented || index.size > maxIndexBytes) return null
    return Math.ceil(index.size * 1.02) + 4096
  } finally {
    await file.close()
  }
}
