import type { ByteRange } from '#server/platform/files/byte-range.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'
import { type Piece, piecesBytes, readPieces } from './archive-pieces.ts'

export type TarEntry = { name: string; bytes: number; modifiedAt: Date }
export type TarFile = TarEntry & { path: string }

const BLOCK = 512
const END_BYTES = 2 * BLOCK
const READ_BYTES = 1024 * 1024
/** A size has at most eleven octal digits. */
const OCTAL_MAX = 8 ** 11

const padding = (bytes: number) => (BLOCK - (bytes % BLOCK)) % BLOCK

/** @throws RangeError for an unsupported name, once its header is made */
export function* tarPieces<Entry extends TarEntry>(
  entries: readonly Entry[],
): Generator<Piece<Entry>> {
  for (const entry of entries) {
    yield { bytes: BLOCK, make: () => tarHeader(entry) }
    yield { bytes: entry.bytes, entry }
    const rest = padding(entry.bytes)
    yield { bytes: rest, make: () => Buffer.alloc(rest) }
  }
  yield { bytes: END_BYTES, make: () => Buffer.alloc(END_BYTES) }
}

export const tarBytes = (files: readonly TarEntry[]) => piecesBytes(tarPieces(files))

/**
 * POSIX ustar.
 * @throws RangeError for an unsupported name or a shortened file
 */
export function writeTar(files: readonly TarFile[]): AsyncGenerator<Buffer> {
  const range = { start: 0, end: tarBytes(files) - 1 }
  return readPieces(tarPieces(files), { range, open: openWhole })
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
