import { type ReadableFile, readBytes } from '#shared/container-facts/mp4-boxes.ts'

const FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']

/** Whether an MP4 states more bytes than it has, as while it is being copied. */
export async function isCutOff(file: ReadableFile): Promise<boolean> {
  for (let at = 0; at + 8 <= file.size; ) {
    const head = await readBytes(file, at, at + 16)
    const type = String.fromCharCode(...new Uint8Array(head.buffer, 4, 4))
    if (at === 0 && !FIRST_BOXES.includes(type)) return false
    const isLong = head.getUint32(0) === 1 && head.byteLength === 16
    const stated = isLong ? Number(head.getBigUint64(8)) : head.getUint32(0)
    // 0 is the rest of the file; other small numbers are no boxes.
    if (stated < 8) return false
    if (at + stated > file.size) return /^[\w ©]{4}$/.test(type)
    at += stated
  }
  return false
}
