import { constants, crc32, deflateRawSync } from 'node:zlib'
import { openPromise } from 'yauzl'

const UTF8_NAMES = 0x0800
const DEFLATED = 8

export type ZippedFile = {
  name: string
  content: Buffer | string
  /** The deflated content, where `content` would be too large. */
  packed?: Buffer
  /** Written instead of the right values. */
  said?: { crc32?: number; bytes?: number; flags?: number; unixMode?: number }
  stored?: boolean
}

/** Returns a small ZIP archive, also one that is made to deceive. */
export function makeZip(
  files: readonly ZippedFile[],
  { saidCount = files.length }: { saidCount?: number } = {},
): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, said = {}, stored = false, ...file } of files) {
    const bytes = Buffer.from(content)
    const packed = file.packed ?? (stored ? bytes : deflateRawSync(bytes))
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(UTF8_NAMES | (said.flags ?? 0), 2)
    common.writeUInt16LE(stored ? 0 : DEFLATED, 4)
    // 1 January 2024.
    common.writeUInt16LE(((2024 - 1980) << 9) | (1 << 5) | 1, 8)
    common.writeUInt32LE(said.crc32 ?? crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(said.bytes ?? bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(((said.unixMode ?? 0o100644) << 16) >>> 0, 6)
    entry.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, 3])
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), madeBy, common, entry, path)
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, path, packed]
    pieces.push(...local)
    offset += local.reduce((sum, { length }) => sum + length, 0)
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  // The ZIP64 records have the numbers for which the last record is too small.
  const large = Buffer.alloc(56)
  large.write('PK\x06\x06', 'latin1')
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(45, 12)
  large.writeUInt16LE(45, 14)
  large.writeBigUInt64LE(BigInt(saidCount), 24)
  large.writeBigUInt64LE(BigInt(saidCount), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  const isLarge = saidCount >= 0xffff
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(isLarge ? 0xffff : saidCount, 8)
  end.writeUInt16LE(isLarge ? 0xffff : saidCount, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, ...directory, ...(isLarge ? [large, locator] : []), end])
}

/** Returns the deflated form of so many MiB of zeros, in time for some of them. */
export function deflateZeros(mebibytes: number): Buffer {
  const options = { finishFlush: constants.Z_FULL_FLUSH }
  const piece = deflateRawSync(Buffer.alloc(1024 * 1024), options)
  return Buffer.concat([...Array<Buffer>(mebibytes).fill(piece), deflateRawSync('')])
}

/** Returns the files of a ZIP archive by name, in the order of the archive, and compares their checksums. */
export async function readZipFiles(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const pieces = await (await zip.openReadStreamPromise(entry)).toArray()
    const content = Buffer.concat(pieces)
    if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} has another checksum.`)
    files.set(entry.fileName, content)
  }
  return files
}
