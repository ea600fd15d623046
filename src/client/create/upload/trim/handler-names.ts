import {
  type Box,
  boxesIn,
  decodeText,
  findBox,
  readBytes,
  wholeFile,
} from '#shared/container-facts/mp4-boxes.ts'

/** Longer boxes are damaged. */
const HANDLER_BYTES_MAX = 1024

/**
 * Track names from `hdlr` boxes, where most recorders put them and the library does not look. Reads
 * heads only.
 * @returns names by track number; empty for unreadable files
 */
export async function readHandlerNames(file: Blob): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for await (const movie of boxesIn(file, wholeFile(file), 'moov')) {
    for await (const track of boxesIn(file, movie, 'trak')) {
      const header = await findBox(file, track, 'tkhd')
      const media = await findBox(file, track, 'mdia')
      const handler = media && (await findBox(file, media, 'hdlr'))
      if (!header || !handler || handler.until - handler.from > HANDLER_BYTES_MAX) continue
      const name = readName(await readBytes(file, handler.from, handler.until))
      if (name) names.set(await readTrackNumber(file, header), name)
    }
  }
  return names
}

async function readTrackNumber(file: Blob, header: Box): Promise<number> {
  const bytes = await readBytes(file, header.from, header.from + 24)
  const hasLongTimes = bytes.byteLength > 0 && bytes.getUint8(0) === 1
  const at = hasLongTimes ? 20 : 12
  return bytes.byteLength >= at + 4 ? bytes.getUint32(at) : 0
}

/** From byte 24: zero-terminated, or in QuickTime length-prefixed. */
function readName(handler: DataView<ArrayBuffer>): string {
  const bytes = new Uint8Array(handler.buffer).subarray(24)
  const isCounted = bytes[0] === bytes.length - 1 && bytes.at(-1) !== 0
  return decodeText(isCounted ? bytes.subarray(1) : bytes)
}
