import { box, headerBox, type Pieces, words } from './box-writer.ts'
import type { SampleTable } from './sample-table.ts'

type IndexTrack = { trak: Buffer; table: SampleTable }

type Box = { type: string; body: Buffer }

export function listBoxes(body: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= body.length; ) {
    const size = body.readUInt32BE(at)
    if (size < 8 || at + size > body.length) throw new Error('A box of an MP4 is broken.')
    const type = body.toString('latin1', at + 4, at + 8)
    boxes.push({ type, body: body.subarray(at + 8, at + size) })
    at += size
  }
  return boxes
}

function findBox(boxes: readonly Box[], type: string): Buffer {
  const found = boxes.find((one) => one.type === type)
  if (!found) throw new Error(`The head of an MP4 has no '${type}'.`)
  return found.body
}

/** Offset in version 0 of `mvhd` and `mdhd`. */
const timeScaleAt = 12

/**
 * @param moov of a fragmented file
 * @param tables in track order; empty ones are omitted
 */
export function writeIndex(
  moov: Buffer,
  tables: readonly SampleTable[],
  { hasEditLists }: { hasEditLists: boolean },
): Pieces {
  const boxes = listBoxes(moov)
  const head = findBox(boxes, 'mvhd')
  const movie = { movieScale: head.readUInt32BE(timeScaleAt), hasEditLists }
  const tracks = boxes
    .filter(({ type }) => type === 'trak')
    .map(({ body }, index): IndexTrack | null => {
      const table = tables[index]
      return table && table.samples > 0 ? { trak: body, table } : null
    })
    .filter((track) => track !== null)
    .map((track) => writeTrack(track, movie))
  const duration = Math.max(0, ...tracks.map((track) => track.duration))
  const others = boxes.filter(({ type }) => !['mvhd', 'trak', 'mvex'].includes(type))
  const header = Buffer.concat([head.subarray(0, -4), words([tables.length + 1])])
  return box(
    'moov',
    headerBox('mvhd', header, { fields: 1, duration }),
    tracks.flatMap((track) => track.pieces),
    others.flatMap(({ type, body }) => box(type, body)),
  )
}

type Movie = { movieScale: number; hasEditLists: boolean }

function writeTrack(
  { trak, table }: IndexTrack,
  movie: Movie,
): { pieces: Pieces; duration: number } {
  const boxes = listBoxes(trak)
  const media = listBoxes(findBox(boxes, 'mdia'))
  const scale = findBox(media, 'mdhd').readUInt32BE(timeScaleAt)
  const edits = planEdits(table, { ...movie, scale })
  const duration = edits.reduce((sum, edit) => sum + edit.duration, 0)
  const others = boxes.filter(({ type }) => !['tkhd', 'edts', 'mdia'].includes(type))
  const pieces = box(
    'trak',
    headerBox('tkhd', findBox(boxes, 'tkhd'), { fields: 2, duration }),
    movie.hasEditLists ? box('edts', writeEdits(edits)) : [],
    others.flatMap(({ type, body }) => box(type, body)),
    box(
      'mdia',
      media.flatMap((one) => writeMedia(one, table)),
    ),
  )
  return { pieces, duration }
}

type Edit = { duration: number; mediaTime: number }

function planEdits(
  table: SampleTable,
  { movieScale, scale, hasEditLists }: Movie & { scale: number },
): Edit[] {
  const length = Math.ceil(((table.endTime - table.firstTime) * movieScale) / scale)
  if (!hasEditLists) return [{ duration: length, mediaTime: 0 }]
  const delay = Math.floor((table.firstTime * movieScale) / scale)
  const edits: Edit[] = delay > 0 ? [{ duration: delay, mediaTime: -1 }] : []
  const mediaTime = delay > 0 ? table.firstOffset : Math.max(0, -table.firstDecodeTime)
  return [...edits, { duration: length + Math.min(delay, 0), mediaTime }]
}

function writeEdits(edits: readonly Edit[]): Pieces {
  const entries = Buffer.alloc(edits.length * 20)
  for (const [index, { duration, mediaTime }] of edits.entries()) {
    entries.writeBigUInt64BE(BigInt(Math.max(0, duration)), index * 20)
    entries.writeBigInt64BE(BigInt(mediaTime), index * 20 + 8)
    entries.writeUInt32BE(0x0001_0000, index * 20 + 16)
  }
  return box('elst', words([0x0100_0000, edits.length]), entries)
}

function writeMedia({ type, body }: Box, table: SampleTable): Pieces {
  if (type === 'mdhd') return headerBox(type, body, { fields: 1, duration: table.duration })
  if (type !== 'minf') return box(type, body)
  const boxes = listBoxes(body).flatMap((one) =>
    one.type === 'stbl' ? writeSampleTable(one.body, table) : box(one.type, one.body),
  )
  return box('minf', boxes)
}

function writeSampleTable(body: Buffer, table: SampleTable): Pieces {
  const { keys, chunks, offsets, durations, sizes, samples } = table
  const places = Buffer.alloc(chunks.length * 8)
  for (const [index, { start }] of chunks.entries()) {
    places.writeBigUInt64BE(BigInt(start), index * 8)
  }
  const runs = listChunkRuns(table)
  return box(
    'stbl',
    box('stsd', findBox(listBoxes(body), 'stsd')),
    box('stts', words([0, durations.count / 2]), durations.pieces()),
    keys.count < samples ? box('stss', words([0, keys.count]), keys.pieces()) : [],
    // Signed in version 1.
    table.hasOffsets ? box('ctts', words([0x0100_0000, offsets.count / 2]), offsets.pieces()) : [],
    box('stsc', words([0, runs.length / 3, ...runs])),
    box('stsz', words([0, 0, samples]), sizes.pieces()),
    box('co64', words([0, chunks.length]), places),
  )
}

/** First chunk, samples per chunk, description. */
function listChunkRuns({ chunks }: SampleTable): number[] {
  const runs: number[] = []
  let last = 0
  for (const [index, { samples }] of chunks.entries()) {
    if (samples !== last) runs.push(index + 1, samples, 1)
    last = samples
  }
  return runs
}
