import { openPlainFile } from '#server/platform/files/plain-files.ts'

export type TarFile = { path: string; name: string; bytes: number; modifiedAt: Date }

const BLOCK = 512
const READ_BYTES = 1024 * 1024
/** A size has at most eleven octal digits. */
const OCTAL_MAX = 8 ** 11

const padding = (bytes: number) => (BLOCK - (bytes % BLOCK)) % BLOCK

export function tarBytes(files: TarFile[]): number {
  return files.reduce((sum, { bytes }) => sum + BLOCK + bytes + padding(bytes), 2 * BLOCK)
}

/**
 * POSIX ustar.
 * @throws RangeError for an unsupported name or a shortened file
 */
export async function* writeTar(files: TarFile[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    yield tarHeader(file)
    let written = 0
    if (file.bytes > 0) {
      const options = { end: file.bytes - 1, highWaterMark: READ_BYTES }
      const opened = await openPlainFile(file.path)
      if (!opened) throw new RangeError(`${file.name} is no plain file.`)
      for await (const chunk of opened.createReadStream(options)) {
        written += (chunk as Buffer).length
        yield chunk as Buffer
      }
    }
    if (written !== file.bytes) throw new RangeError(`${file.name} changed while it was read.`)
    if (padding(written) > 0) yield Buffer.alloc(padding(written))
  }
  yield Buffer.alloc(2 * BLOCK)
}

function tarHeader({ name, bytes, modifiedAt }: TarFile): Buffer {
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
