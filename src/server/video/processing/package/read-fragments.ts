import type { FileHandle } from 'node:fs/promises'
import { listBoxes } from './movie-box.ts'
import { addChunk, newSampleTable, type SampleTable } from './sample-table.ts'

const boxHead = 8
const nonSyncSample = 0x1_0000

/** From `tfhd`. */
type Defaults = { duration: number; size: number; flags: number }

type Sample = Parameters<typeof addChunk>[1]['samples'][number]

/**
 * For FFmpeg's fragments.
 * @param options.starts decoding time of each fragment's first sample, per track
 * @throws when they do not match
 */
export async function readFragments(
  file: FileHandle,
  { from, starts }: { from: number; starts: readonly (readonly number[])[] },
): Promise<SampleTable[]> {
  const tables = starts.map(newSampleTable)
  const { size: end } = await file.stat()
  for (let at = from; at + boxHead <= end; ) {
    const head = await readAt(file, at, boxHead)
    const size = head.readUInt32BE(0)
    if (size < boxHead) throw new Error('A fragment is broken.')
    if (head.toString('latin1', 4, 8) === 'moof') {
      const body = await readAt(file, at + boxHead, size - boxHead)
      addFragment(tables, { body, start: at, starts })
    }
    at += size
  }
  if (tables.some((table, index) => table.chunks.length !== starts[index]?.length)) {
    throw new Error('There are other fragments than were written.')
  }
  return tables
}

async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  if (bytesRead < length) throw new Error('A fragment is cut off.')
  return buffer
}

type Fragment = { body: Buffer; start: number; starts: readonly (readonly number[])[] }

function addFragment(tables: readonly SampleTable[], { body, start, starts }: Fragment): void {
  for (const { type, body: track } of listBoxes(body)) {
    if (type !== 'traf') continue
    let defaults: Defaults = { duration: 0, size: 0, flags: 0 }
    let index = -1
    for (const { type: name, body: inner } of listBoxes(track)) {
      if (name === 'tfhd') {
        index = inner.readUInt32BE(4) - 1
        defaults = readDefaults(inner)
      }
      const table = tables[index]
      if (name !== 'trun' || !table) continue
      const { offset, samples } = readRun(inner, defaults)
      const decodeTime = starts[index]?.[table.chunks.length]
      if (decodeTime === undefined) throw new Error('There are more fragments than were written.')
      addChunk(table, { start: start + offset, decodeTime, samples })
    }
  }
}

/** Optional words are 0 unless flagged. */
function wordReader(body: Buffer, start: number) {
  let at = start
  return (isThere: boolean) => {
    if (!isThere) return 0
    at += 4
    return body.readUInt32BE(at - 4)
  }
}

function readDefaults(body: Buffer): Defaults {
  const flags = body.readUInt32BE(0)
  const read = wordReader(body, 8)
  read((flags & 0x1) !== 0)
  read((flags & 0x1) !== 0)
  read((flags & 0x2) !== 0)
  return {
    duration: read((flags & 0x8) !== 0),
    size: read((flags & 0x10) !== 0),
    flags: read((flags & 0x20) !== 0),
  }
}

function readRun(body: Buffer, defaults: Defaults): { offset: number; samples: Sample[] } {
  const flags = body.readUInt32BE(0)
  const count = body.readUInt32BE(4)
  const read = wordReader(body, 8)
  const offset = read((flags & 0x1) !== 0)
  const hasFirstFlags = (flags & 0x4) !== 0
  const firstFlags = read(hasFirstFlags)
  const [hasDuration, hasSize, hasFlags, hasOffset] = [0x100, 0x200, 0x400, 0x800].map(
    (flag) => (flags & flag) !== 0,
  ) as [boolean, boolean, boolean, boolean]
  const samples: Sample[] = []
  for (let index = 0; index < count; index += 1) {
    const duration = hasDuration ? read(true) : defaults.duration
    const size = hasSize ? read(true) : defaults.size
    const own = hasFlags ? read(true) : defaults.flags
    const sampleFlags = index === 0 && hasFirstFlags ? firstFlags : own
    samples.push({
      duration,
      size,
      isKey: (sampleFlags & nonSyncSample) === 0,
      offset: read(hasOffset) | 0,
    })
  }
  return { offset, samples }
}
