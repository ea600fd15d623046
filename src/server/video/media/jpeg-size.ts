import { buffer } from 'node:stream/consumers'
import type { MediaStore } from '#server/platform/files/media-store.ts'

const HEAD_BYTES = 64 * 1024
/** Start-of-frame markers; C4, C8 and CC are others. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

export async function readJpegSize(media: MediaStore, key: string) {
  try {
    const head = await media.openRange(key, { start: 0, end: HEAD_BYTES - 1 })
    return head && jpegSizeOf(await buffer(head))
  } catch {
    return undefined
  }
}

function jpegSizeOf(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
