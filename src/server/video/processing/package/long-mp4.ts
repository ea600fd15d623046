import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AVIO_FLAG_WRITE } from 'node-av/constants'
import { type FormatContext, IOContext } from 'node-av/lib'
import { requireWritten } from '../ffmpeg-calls.ts'
import { box, type Pieces, sizeOf } from './box-writer.ts'
import { writeIndex } from './movie-box.ts'
import { readFragments } from './read-fragments.ts'

/**
 * FFmpeg writes fragments; the index is built afterwards, as FFmpeg's takes 64 bytes of memory per
 * sample. See docs/decisions/0057-long-recordings.md.
 */
export type LongMp4 = {
  path: string
  format: FormatContext
  io: IOContext
  /** Before FFmpeg's output. */
  reserve: number
  hasEditLists: boolean
  starts: number[][]
  begun: Set<number>
  isHeadWritten: boolean
  untilSeconds: number
  bytes: number
  packets: number
}

/** A fragment is held in memory. */
const partSeconds = 1
const partBytes = 4 * 1024 * 1024
const partPackets = 2000

export const longFlags = '+frag_custom+delay_moov+default_base_moof+skip_trailer'

/** `mdat` with a 64-bit size. */
const mediaHeadBytes = 16

/** Before any output of FFmpeg. */
export function beginLongMp4(
  format: FormatContext,
  options: { path: string; reserve: number; tracks: number; hasEditLists: boolean },
): LongMp4 {
  const { path, hasEditLists, tracks } = options
  const reserve = Math.max(options.reserve, mediaHeadBytes)
  const io = new IOContext()
  requireWritten(io.open2Sync(path, AVIO_FLAG_WRITE), 'create MP4')
  io.writeSync(Buffer.alloc(reserve))
  format.pb = io
  return {
    ...{ path, format, io, reserve, hasEditLists },
    starts: Array.from({ length: tracks }, () => []),
    begun: new Set(),
    isHeadWritten: false,
    untilSeconds: Number.NEGATIVE_INFINITY,
    bytes: 0,
    packets: 0,
  }
}

/** Before each packet. */
export function notePacket(
  long: LongMp4,
  packet: { track: number; dts: bigint; seconds: number; bytes: number },
): void {
  const { track, dts, seconds, bytes } = packet
  const isFull = long.bytes >= partBytes || long.packets >= partPackets
  if (long.packets > 0 && (seconds >= long.untilSeconds || isFull)) endPart(long)
  if (long.packets === 0) long.untilSeconds = seconds + partSeconds
  if (!long.begun.has(track)) long.starts[track]?.push(Number(dts))
  long.begun.add(track)
  long.packets += 1
  long.bytes += bytes
}

function endPart(long: LongMp4): void {
  if (!long.isHeadWritten) requireWritten(long.format.writeFrameSync(null), 'write MP4 head')
  requireWritten(long.format.writeFrameSync(null), 'write MP4 fragment')
  long.isHeadWritten = true
  long.begun.clear()
  long.packets = 0
  long.bytes = 0
}

export async function finishLongMp4(long: LongMp4): Promise<void> {
  const { format, io, path, reserve, hasEditLists } = long
  endPart(long)
  requireWritten(await format.writeTrailer(), 'finish MP4')
  requireWritten(io.closepSync(), 'close MP4')
  const file = await open(path, 'r+')
  try {
    const { size: end } = await file.stat()
    const { moov, from } = await readHead(file, reserve)
    const tables = await readFragments(file, { from, starts: long.starts })
    const mediaHead = writeMediaHead(end - reserve + mediaHeadBytes)
    const index = writeIndex(moov, tables, { hasEditLists })
    const room = reserve - sizeOf(fileType) - sizeOf(index) - mediaHeadBytes
    if (room === 0 || room >= boxHead) {
      const free = room === 0 ? [] : box('free', Buffer.alloc(room - boxHead))
      await writeFront(file, [...fileType, ...index, ...free, mediaHead])
      return
    }
    for (const { chunks } of tables) for (const chunk of chunks) chunk.start -= room
    const moved = writeIndex(moov, tables, { hasEditLists })
    await copyBehind(path, { front: [...fileType, ...moved, mediaHead], start: reserve })
  } finally {
    await file.close()
  }
}

const boxHead = 8

const fileType = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'))

/** @returns `moov` body and start of the fragments */
async function readHead(
  file: FileHandle,
  reserve: number,
): Promise<{ moov: Buffer; from: number }> {
  const read = async (start: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
    if (bytesRead < length) throw new Error('The MP4 has no head.')
    return buffer
  }
  for (let at = reserve; ; ) {
    const head = await read(at, boxHead)
    const size = head.readUInt32BE(0)
    if (size < boxHead) throw new Error('The MP4 has no head.')
    if (head.toString('latin1', 4, 8) === 'moov') {
      return { moov: await read(at + boxHead, size - boxHead), from: at + size }
    }
    at += size
  }
}

function writeMediaHead(bytes: number): Buffer {
  const head = Buffer.alloc(mediaHeadBytes)
  head.writeUInt32BE(1, 0)
  head.write('mdat', 4, 'latin1')
  head.writeBigUInt64BE(BigInt(bytes), boxHead)
  return head
}

async function writeFront(file: FileHandle, parts: Pieces): Promise<void> {
  let at = 0
  for (const part of parts) {
    await file.write(part, 0, part.length, at)
    at += part.length
  }
}

/** For an index larger than the reserve. */
async function copyBehind(
  path: string,
  { front, start }: { front: Pieces; start: number },
): Promise<void> {
  const copyPath = `${path}.moved`
  try {
    await writeFile(copyPath, front)
    await pipeline(createReadStream(path, { start }), createWriteStream(copyPath, { flags: 'a' }))
    await rename(copyPath, path)
  } catch (error) {
    await rm(copyPath, { force: true })
    throw error
  }
}
