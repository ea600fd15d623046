/** The segments of a session of Steam's game recording: `init-stream0.m4s` and `chunk-stream0-00001.m4s` of the picture, 1 of the sound. */
import { type FileHandle, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import { openPlainFile } from '#server/platform/files/plain-files.ts'
import { listBoxes } from '#server/video/processing/package/movie-box.ts'
import { readAt } from '#server/video/upload/local-file.ts'

const SEGMENT = /^chunk-stream(\d)-(\d{1,9})\.m4s$/
const PICTURE = '0'
const SOUND = '1'
const INIT_BYTES_MAX = 64 * 1024
/** A segment has a few seconds. The file with the description has a few kilobytes. */
const HEAD_BYTES = 64 * 1024
const WAY_TO_FORMAT = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd']
const WAY_TO_TIME_SCALE = ['moov', 'trak', 'mdia', 'mdhd']

export type SegmentedStream = { paths: string[]; bytes: number }

export type SteamSession = {
  picture: SegmentedStream
  sound: SegmentedStream | undefined
  /** Sessions with an equal format can become one MP4. */
  format: string
  /** The time of the first picture on the clock of the session. */
  firstSeconds: number
  durationSeconds: number
  changedAt: Date
  hasOtherSound: boolean
}

/**
 * Follows no links. Segments that are empty or no files count as missing.
 * @throws AppError with a sentence for the report
 */
export async function readSteamSession(folder: string): Promise<SteamSession> {
  const names = new Map<string, { name: string; number: number }[]>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [, stream, number] = SEGMENT.exec(entry.name) ?? []
    if (stream === undefined || !entry.isFile()) continue
    names.set(stream, [...(names.get(stream) ?? []), { name: entry.name, number: Number(number) }])
  }
  const picture = await readStream(folder, PICTURE, names.get(PICTURE) ?? [])
  if (!picture)
    throw new AppError('unprocessable', 'It has no picture, or its beginning is missing.')
  const sound = await readStream(folder, SOUND, names.get(SOUND) ?? [])
  const { timeScale } = picture
  const [first, last] = [picture.paths[1], picture.paths.at(-1)]
  const firstSeconds = (await readDecodingTime(first)) / timeScale
  const lastSeconds = (await readDecodingTime(last)) / timeScale
  const segments = picture.paths.length - 1
  return {
    ...{ picture, sound, firstSeconds, changedAt: picture.changedAt },
    format: `${picture.format} ${sound?.format}`,
    durationSeconds: segments < 2 ? 0 : ((lastSeconds - firstSeconds) * segments) / (segments - 1),
    hasOtherSound: [...names.keys()].some((stream) => stream !== PICTURE && stream !== SOUND),
  }
}

type ReadStream = SegmentedStream & { format: string; timeScale: number; changedAt: Date }

/** @returns undefined without a usable beginning, or without a segment */
async function readStream(
  folder: string,
  stream: string,
  segments: { name: string; number: number }[],
): Promise<ReadStream | undefined> {
  const initPath = join(folder, `init-stream${stream}.m4s`)
  const init = await readHead(initPath, INIT_BYTES_MAX)
  const format = init && findBox(init, WAY_TO_FORMAT)
  const timeScale = init && readTimeScale(findBox(init, WAY_TO_TIME_SCALE))
  if (!format || !timeScale) return undefined
  const paths = [initPath]
  let bytes = init.length
  let changedAt = new Date(0)
  for (const { name } of segments.sort((one, other) => one.number - other.number)) {
    const path = join(folder, name)
    const stats = await lstat(path)
    if (stats.size === 0) continue
    paths.push(path)
    bytes += stats.size
    if (stats.mtime > changedAt) changedAt = stats.mtime
  }
  if (paths.length === 1) return undefined
  return { paths, bytes, timeScale, changedAt, format: format.toString('base64') }
}

/** @returns 0 if the segment is damaged */
async function readDecodingTime(path: string | undefined): Promise<number> {
  const head = path === undefined ? undefined : await readHead(path, HEAD_BYTES)
  const body = head && findBox(head, ['moof', 'traf', 'tfdt'])
  if (!body || body.length < 8) return 0
  const isLong = body[0] === 1 && body.length >= 12
  return isLong ? Number(body.readBigUInt64BE(4)) : body.readUInt32BE(4)
}

function readTimeScale(mdhd: Buffer | undefined): number {
  const at = mdhd?.[0] === 1 ? 20 : 12
  return mdhd && mdhd.length >= at + 4 ? mdhd.readUInt32BE(at) : 0
}

/** @returns undefined also for damaged boxes */
function findBox(bytes: Buffer, way: readonly string[]): Buffer | undefined {
  const [type, ...rest] = way
  if (type === undefined) return bytes
  try {
    const found = listBoxes(withoutPart(bytes)).find((one) => one.type === type)
    return found && findBox(found.body, rest)
  } catch {
    return undefined
  }
}

/** Removes a last box that is not whole. */
function withoutPart(bytes: Buffer): Buffer {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    if (size < 8 || at + size > bytes.length) return bytes.subarray(0, at)
    at += size
  }
  return bytes
}

async function readHead(path: string, length: number): Promise<Buffer | undefined> {
  const file = await openPlainFile(path)
  if (!file) return undefined
  try {
    return await readAt(file, 0, length)
  } finally {
    await file.close()
  }
}

/**
 * Appends the segments to a file.
 * @throws `not-found` if one has gone
 */
export async function appendSegments(
  { paths }: SegmentedStream,
  target: FileHandle,
): Promise<void> {
  for (const path of paths) {
    const file = await openPlainFile(path)
    if (!file) throw new AppError('not-found', 'A part of the recording has gone.')
    try {
      for await (const piece of file.createReadStream({ autoClose: false })) {
        await target.writeFile(piece as Buffer)
      }
    } finally {
      await file.close()
    }
  }
}
