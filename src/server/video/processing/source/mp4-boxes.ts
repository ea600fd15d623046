import { type FileHandle, open } from 'node:fs/promises'

/** `size` includes the head. */
type Box = { type: string; start: number; size: number }

/** Fragmented files have thousands. */
const maxBoxesBeforeHead = 100

/** `read` returns fewer bytes at the end. */
type Mp4 = { bytes: number; read: (start: number, bytes: number) => Promise<Buffer> }

export async function mp4Of(file: FileHandle): Promise<Mp4> {
  const { size: bytes } = await file.stat()
  return {
    bytes,
    async read(start, length) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    },
  }
}

export async function listTopLevelBoxes(
  { bytes: fileSize, read }: Mp4,
  limit = Number.POSITIVE_INFINITY,
): Promise<Box[]> {
  const header = Buffer.alloc(16)
  const boxes: Box[] = []
  let start = 0
  while (start + 8 <= fileSize && boxes.length < limit) {
    header.fill(0).set(await read(start, 16))
    const shortSize = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    const size = shortSize === 1 ? Number(header.readBigUInt64BE(8)) : shortSize
    boxes.push({ type, start, size })
    if (size < 8) break
    start += size
  }
  return boxes
}

const movieHeaderBytes = 48

export async function readMovieSeconds(path: string): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const boxes = await listTopLevelBoxes(await mp4Of(file), maxBoxesBeforeHead)
    const movie = boxes.find((box) => box.type === 'moov')
    if (!movie) return null
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(movieHeaderBytes),
      0,
      movieHeaderBytes,
      movie.start + 8,
    )
    if (bytesRead < movieHeaderBytes || buffer.toString('latin1', 4, 8) !== 'mvhd') return null
    const isLong = buffer[8] === 1
    const scale = buffer.readUInt32BE(isLong ? 28 : 20)
    const length = isLong ? Number(buffer.readBigUInt64BE(32)) : buffer.readUInt32BE(24)
    return scale > 0 ? length / scale : null
  } finally {
    await file.close()
  }
}

export type FragmentedMp4 = { head: Buffer; fragments: { start: number; bytes: number }[] }

/** @throws for files of other writers */
export async function readFragmentedMp4(path: string): Promise<FragmentedMp4> {
  const file = await open(path, 'r')
  try {
    const boxes = await listTopLevelBoxes(await mp4Of(file))
    const first = boxes.find((box) => box.type === 'moof')
    if (!first) throw new Error(`There is no fragment in ${path}.`)
    const head = Buffer.alloc(first.start)
    await file.read(head, 0, first.start, 0)
    const fragments: FragmentedMp4['fragments'] = []
    for (const { type, start, size } of boxes) {
      if (type === 'moof') fragments.push({ start, bytes: size })
      const current = fragments.at(-1)
      if (type === 'mdat' && current) current.bytes += size
    }
    return { head, fragments }
  } finally {
    await file.close()
  }
}

export const maxIndexBytes = 64 * 1024 * 1024

export const maxBoxes = 100

/** Body of `moov`; null if implausible. */
export async function readIndex(file: FileHandle): Promise<Buffer | null> {
  const boxes = await listTopLevelBoxes(await mp4Of(file), maxBoxes)
  const index = boxes.find((box) => box.type === 'moov')
  if (!index || index.size < 8 || index.size > maxIndexBytes) return null
  const bytes = index.size - 8
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, index.start + 8)
  return buffer.subarray(0, bytesRead)
}

/** The source's own index lists the same samples. */
export async function estimateIndexBytes(path: string): Promise<number | null> {
  const file = await open(path, 'r')
  try {
    const boxes = await listTopLevelBoxes(await mp4Of(file), maxBoxes)
    const index = boxes.find((box) => box.type === 'moov')
    const fragmented = boxes.some((box) => box.type === 'moof')
    if (!index || fragmented || index.size > maxIndexBytes) return null
    return Math.ceil(index.size * 1.02) + 4096
  } finally {
    await file.close()
  }
}
