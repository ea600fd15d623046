import type { FileHandle } from 'node:fs/promises'
import { readIndex } from './mp4-boxes.ts'
import type { SourceChapter } from './source-chapter.ts'

const mostSamples = 1000
const sampleBytesMax = 1024

/**
 * Reads them from a text track (QuickTime, OBS) or the list in the index (Nero).
 * @throws RangeError for a malformed index
 */
export async function readMp4Chapters(file: FileHandle): Promise<SourceChapter[]> {
  const index = await readIndex(file)
  if (!index) return []
  const tracks = childrenOf(index).filter(({ type }) => type === 'trak')
  const named = tracks.map((track) => inside(track.body, 'tref', 'chap'))
  const ids = new Set(named.flatMap((ids) => (ids && ids.length >= 4 ? [ids.readUInt32BE(0)] : [])))
  const track = tracks.find(({ body }) => ids.has(trackId(body)))
  const chapters = track ? await readTextTrack(file, track.body) : []
  return chapters.length > 0 ? chapters : readList(inside(index, 'udta', 'chpl'))
}

type Child = { type: string; body: Buffer }

function childrenOf(body: Buffer): Child[] {
  const children: Child[] = []
  for (let at = 0; at + 8 <= body.length; ) {
    const size = body.readUInt32BE(at)
    if (size < 8 || at + size > body.length) break
    const type = body.toString('latin1', at + 4, at + 8)
    children.push({ type, body: body.subarray(at + 8, at + size) })
    at += size
  }
  return children
}

function inside(body: Buffer, ...path: string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>(
    (parent, name) => parent && childrenOf(parent).find(({ type }) => type === name)?.body,
    body,
  )
}

function trackId(track: Buffer): number {
  const head = inside(track, 'tkhd')
  return head ? head.readUInt32BE(head[0] === 1 ? 20 : 12) : 0
}

async function readTextTrack(file: FileHandle, track: Buffer): Promise<SourceChapter[]> {
  const head = inside(track, 'mdia', 'mdhd')
  const table = inside(track, 'mdia', 'minf', 'stbl')
  if (!head || !table) return []
  const scale = head.readUInt32BE(head[0] === 1 ? 20 : 12)
  const times = sampleTimes(inside(table, 'stts'))
  const places = samplePlaces(table)
  const chapters: SourceChapter[] = []
  for (const [number, { at, bytes }] of places.entries()) {
    const time = times[number]
    if (time === undefined || scale === 0) break
    const sample = Buffer.alloc(Math.min(bytes, sampleBytesMax))
    const { bytesRead } = await file.read(sample, 0, sample.length, at)
    if (bytesRead < 2) continue
    const text = sample.subarray(2, Math.min(2 + sample.readUInt16BE(0), bytesRead))
    chapters.push({ seconds: time / scale, title: decode(text) })
  }
  return chapters
}

function decode(text: Buffer): string {
  const isUtf16 = text.length >= 2 && text.readUInt16BE(0) === 0xfeff
  if (!isUtf16) return text.toString('utf8')
  return Buffer.from(text.subarray(2, text.length & ~1))
    .swap16()
    .toString('utf16le')
}

/** In units of the track. */
function sampleTimes(table: Buffer | undefined): number[] {
  const times: number[] = []
  let time = 0
  for (const [count, duration] of readPairs(table)) {
    for (let n = 0; n < count && times.length < mostSamples; n += 1, time += duration)
      times.push(time)
  }
  return times
}

function readPairs(table: Buffer | undefined): [number, number][] {
  const pairs: [number, number][] = []
  for (let at = 8; table && at + 8 <= table.length; at += 8) {
    pairs.push([table.readUInt32BE(at), table.readUInt32BE(at + 4)])
  }
  return pairs
}

function samplePlaces(table: Buffer): { at: number; bytes: number }[] {
  const sizes = inside(table, 'stsz')
  const [short, long] = [inside(table, 'stco'), inside(table, 'co64')]
  const chunks = short ?? long
  const groups = inside(table, 'stsc')
  if (!sizes || !chunks || !groups) return []
  const same = sizes.readUInt32BE(4)
  const count = Math.min(sizes.readUInt32BE(8), mostSamples)
  const chunkCount = Math.min(chunks.readUInt32BE(4), mostSamples)
  const places: { at: number; bytes: number }[] = []
  for (let chunk = 0; chunk < chunkCount; chunk += 1) {
    let at = short
      ? short.readUInt32BE(8 + chunk * 4)
      : Number(long?.readBigUInt64BE(8 + chunk * 8))
    const inChunk = samplesIn(groups, chunk + 1)
    for (let n = 0; n < inChunk && places.length < count; n += 1) {
      const bytes = same || sizes.readUInt32BE(12 + places.length * 4)
      places.push({ at, bytes })
      at += bytes
    }
  }
  return places
}

/** @param chunk from 1 */
function samplesIn(groups: Buffer, chunk: number): number {
  let samples = 0
  for (let at = 8; at + 12 <= groups.length && groups.readUInt32BE(at) <= chunk; at += 12) {
    samples = groups.readUInt32BE(at + 4)
  }
  return samples
}

/** Units of 100 ns. */
function readList(list: Buffer | undefined): SourceChapter[] {
  const chapters: SourceChapter[] = []
  if (!list || list.length < 9) return chapters
  for (let at = 9; at + 9 <= list.length; ) {
    const seconds = Number(list.readBigUInt64BE(at)) / 1e7
    const length = list.readUInt8(at + 8)
    chapters.push({ seconds, title: list.toString('utf8', at + 9, at + 9 + length) })
    at += 9 + length
  }
  return chapters
}
