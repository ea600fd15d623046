import { type FileHandle, open } from 'node:fs/promises'

/** A part of an MP4: its four letters and the bytes it takes, its own head included. */
export type Box = { type: string; start: number; size: number }

/** Lists an MP4's outermost boxes, `limit` of them at most; ends where the file does or makes no sense. */
export async function listTopLevelBoxes(
  file: FileHandle,
  limit = Number.POSITIVE_INFINITY,
): Promise<Box[]> {
  const { size: fileSize } = await file.stat()
  const header = Buffer.alloc(16)
  const boxes: Box[] = []
  let start = 0
  while (start + 8 <= fileSize && boxes.length < limit) {
    await file.read(header, 0, 16, start)
    const shortSize = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    const size = shortSize === 1 ? Number(header.readBigUInt64BE(8)) : shortSize
    boxes.push({ type, start, size })
    if (size < 8) break
    start += size
  }
  return boxes
}

/** The head of a fragmented MP4, and where each of its fragments lies. */
export type FragmentedMp4 = { head: Buffer; fragments: { start: number; bytes: number }[] }

/** @throws when the file is none that this process wrote */
export async function readFragmentedMp4(path: string): Promise<FragmentedMp4> {
  const file = await open(path, 'r')
  try {
    const boxes = await listTopLevelBoxes(file)
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
