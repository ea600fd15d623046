/** Writes ZIP archives of uncompressed files, as described in APPNOTE.TXT 6.3.10 of PKWARE. */
import type { Piece } from '../backup/archive-pieces.ts'

export type ZipEntry = { name: string; bytes: number; modifiedAt: Date; crc32: number }

/** From this value on, a field contains it, and the number is in a ZIP64 field. */
const [MAX_16, MAX_32] = [0xffff, 0xffffffff]
const [VERSION, VERSION_ZIP64] = [20, 45]
const UNIX = 3
const UTF8_NAMES = 0x0800
const ZIP64 = 1
const PLAIN_FILE = 0o100644

type Placed = ZipEntry & { offset: number }

export function* zipPieces<Entry extends ZipEntry>(
  entries: readonly Entry[],
): Generator<Piece<Entry>> {
  const placed: Placed[] = []
  let offset = 0
  for (const entry of entries) {
    const header = localHeader(entry)
    placed.push({ ...entry, offset })
    yield { bytes: header.length, make: () => header }
    yield { bytes: entry.bytes, entry }
    offset += header.length + entry.bytes
  }
  let size = 0
  for (const entry of placed) {
    const header = directoryHeader(entry)
    size += header.length
    yield { bytes: header.length, make: () => header }
  }
  const end = endOfDirectory({ count: placed.length, size, offset })
  yield { bytes: end.length, make: () => end }
}

function localHeader(entry: ZipEntry): Buffer {
  const { bytes } = entry
  const extra = bytes >= MAX_32 ? zip64Field([bytes, bytes]) : Buffer.alloc(0)
  const header = Buffer.alloc(4)
  header.write('PK\x03\x04', 'latin1')
  return Buffer.concat([header, commonFields(entry, extra), Buffer.from(entry.name), extra])
}

function directoryHeader(entry: Placed): Buffer {
  const { bytes, offset } = entry
  const large = [...(bytes >= MAX_32 ? [bytes, bytes] : []), ...(offset >= MAX_32 ? [offset] : [])]
  const extra = large.length > 0 ? zip64Field(large) : Buffer.alloc(0)
  const header = Buffer.alloc(6)
  header.write('PK\x01\x02', 'latin1')
  header.writeUInt8(VERSION_ZIP64, 4)
  header.writeUInt8(UNIX, 5)
  const rest = Buffer.alloc(14)
  rest.writeUInt16LE(PLAIN_FILE, 8)
  rest.writeUInt32LE(Math.min(offset, MAX_32), 10)
  const common = commonFields(entry, extra)
  return Buffer.concat([header, common, rest, Buffer.from(entry.name), extra])
}

/** The fields that both headers of a file contain. */
function commonFields({ name, bytes, modifiedAt, crc32 }: ZipEntry, extra: Buffer): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(extra.length > 0 ? VERSION_ZIP64 : VERSION, 0)
  fields.writeUInt16LE(UTF8_NAMES, 2)
  const { time, date } = dosTime(modifiedAt)
  fields.writeUInt16LE(time, 6)
  fields.writeUInt16LE(date, 8)
  fields.writeUInt32LE(crc32, 10)
  fields.writeUInt32LE(Math.min(bytes, MAX_32), 14)
  fields.writeUInt32LE(Math.min(bytes, MAX_32), 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  fields.writeUInt16LE(extra.length, 24)
  return fields
}

function zip64Field(numbers: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(ZIP64, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [index, number] of numbers.entries()) {
    field.writeBigUInt64LE(BigInt(number), 4 + 8 * index)
  }
  return field
}

function endOfDirectory(input: { count: number; size: number; offset: number }): Buffer {
  const { count, size, offset } = input
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(size, MAX_32), 12)
  end.writeUInt32LE(Math.min(offset, MAX_32), 16)
  if (count < MAX_16 && size < MAX_32 && offset < MAX_32) return end
  const large = Buffer.alloc(56)
  large.write('PK\x06\x06', 'latin1')
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt8(VERSION_ZIP64, 12)
  large.writeUInt8(UNIX, 13)
  large.writeUInt16LE(VERSION_ZIP64, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}

/** Times are without a zone, and every second second. */
function dosTime(at: Date): { time: number; date: number } {
  const seconds = at.getUTCSeconds() >> 1
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | seconds,
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}
