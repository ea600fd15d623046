import type { ByteRange } from '#server/platform/files/byte-range.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'

export type TarEntry = { name: string; bytes: number; modifiedAt: Date }
export type TarFile = TarEntry & { path: string }

const BLOCK = 512
const END_BYTES = 2 * BLOCK
const READ_BYTES = 1024 * 1024
/** A size has at most eleven octal digits. */
const OCTAL_MAX = 8 ** 11

const padding = (bytes: number) => (BLOCK - (bytes % BLOCK)) % BLOCK

export function tarBytes(files: readonly TarEntry[]): number {
  return files.reduce((sum, { bytes }) => sum + BLOCK + bytes + padding(bytes), END_BYTES)
}

/**
 * POSIX ustar.
 * @throws RangeError for an unsupported name or a shortened file
 */
export function writeTar(files: readonly TarFile[]): AsyncGenerator<Buffer> {
  const range = { start: 0, end: tarBytes(files) - 1 }
  return readTar(files, { range, open: openWhole })
}

/**
 * Reads a range of the archive and opens only the files in that range.
 * @param input.open receives the range within the file, which is never empty
 * @throws RangeError as `writeTar`
 */
export async function* readTar<Entry extends TarEntry>(
  entries: readonly Entry[],
  input: {
    range: ByteRange
    open: (entry: Entry, range: ByteRange) => Promise<AsyncIterable<Buffer>>
  },
): AsyncGenerator<Buffer> {
  const { range, open } = input
  /** Offset of the next part of the archive. */
  let at = 0
  const take = (bytes: number): ByteRange | undefined => {
    const part = { start: Math.max(range.start - at, 0), end: Math.min(range.end - at, bytes - 1) }
    at += bytes
    return part.start <= part.end ? part : undefined
  }
  const cut = (bytes: Buffer, part: ByteRange) => bytes.subarray(part.start, part.end + 1)
  for (const entry of entries) {
    if (at > range.end) return
    const inHeader = take(BLOCK)
    if (inHeader) yield cut(tarHeader(entry), inHeader)
    const inFile = take(entry.bytes)
    if (inFile) {
      let left = inFile.end - inFile.start + 1
      for await (const chunk of await open(entry, inFile)) {
        left -= chunk.length
        if (left < 0) break
        yield chunk
      }
      if (left !== 0) throw new RangeError(`${entry.name} changed while it was read.`)
    }
    const inPadding = take(padding(entry.bytes))
    if (inPadding) yield cut(Buffer.alloc(padding(entry.bytes)), inPadding)
  }
  const inEnd = take(END_BYTES)
  if (inEnd) yield cut(Buffer.alloc(END_BYTES), inEnd)
}

async function openWhole({ path, name }: TarFile, range: ByteRange) {
  const opened = await openPlainFile(path)
  if (!opened) throw new RangeError(`${name} is no plain file.`)
  return opened.createReadStream({ ...range, highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>
}

function tarHeader({ name, bytes, modifiedAt }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK)
  const { prefix, rest } = splitName(name)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  header.write(rest, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (bytes < OCTAL_MAX) header.write(octal(bytes, 12), 124)
  else {
    // GNU's base 256 above 8 GiB.
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 12), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, 345, 155)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 7)}\0 `, 148)
  return header
}

function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name }
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    const fits = Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(rest) <= 100
    if (fits && rest !== '') return { prefix, rest }
  }
  throw new RangeError(`${name} is too long for a tar archive.`)
}
