import { type ReadableFile, readBytes } from '#shared/container-facts/mp4-boxes.ts'

const FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot']
/** Encoded pictures and sound never end in so many zeros. */
const TAIL_BYTES = 4096

/**
 * Returns whether an MP4 is incomplete: it states more bytes than it has, or its last bytes are zeros, because the program that
 * copies it has reserved the whole size first.
 */
export async function isCutOff(file: ReadableFile): Promise<boolean> {
  let last: { from: number; until: number } | undefined
  for (let at = 0; at + 8 <= file.size; ) {
    const head = await readBytes(file, at, at + 16)
    if (head.byteLength < 8) return true
    const type = String.fromCharCode(...new Uint8Array(head.buffer, 4, 4))
    if (at === 0 && !FIRST_BOXES.includes(type)) return false
    const isLong = head.getUint32(0) === 1 && head.byteLength === 16
    const stated = isLong ? Number(head.getBigUint64(8)) : head.getUint32(0)
    const until = stated === 0 ? file.size : at + stated
    // Other sizes below that of a header are invalid.
    if (stated < 8 && stated !== 0) return false
    if (until > file.size) return /^[\w ©]{4}$/.test(type)
    if (type === 'mdat') last = { from: at + 16, until }
    at = until
  }
  return last !== undefined && endsInZeros(file, last)
}

async function endsInZeros(
  file: ReadableFile,
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  if (until - from < TAIL_BYTES) return false
  const tail = await readBytes(file, until - TAIL_BYTES, until)
  return new Uint8Array(tail.buffer).every((byte) => byte === 0)
}
