import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_NONE,
  AV_CODEC_ID_SRT,
  AV_CODEC_ID_SSA,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants'
import type { Packet, Stream } from 'node-av/lib'
import { writeTime } from '#shared/cut-captions.ts'
import { CAPTIONS_PER_VIDEO, MAX_CAPTIONS_BYTES } from '#shared/limits.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import type { Container } from './container.ts'
import { closeSource, openSource, readLanguage, readPackets, type Source } from './open-source.ts'
import { readAssText, readMovText, readMp4WebVtt, readPlainText } from './text-packets.ts'

/** Sanitize before showing. */
export type TextTrack = {
  /** ISO 639. */
  language: string | null
  name: string | null
  text: string
}

/** A cue each. */
type ReadText = (data: Buffer) => string[]

type Cue = { startSeconds: number; endSeconds: number; text: string }
type Reading = { stream: Stream; read: ReadText; cues: Cue[]; bytes: number; isReadable: boolean }

const readers = new Map<number, ReadText>([
  [AV_CODEC_ID_SUBRIP, readPlainText],
  [AV_CODEC_ID_SRT, readPlainText],
  [AV_CODEC_ID_TEXT, readPlainText],
  [AV_CODEC_ID_WEBVTT, readPlainText],
  [AV_CODEC_ID_ASS, readAssText],
  [AV_CODEC_ID_SSA, readAssText],
  [AV_CODEC_ID_MOV_TEXT, readMovText],
])

/** FFmpeg treats it as data. */
const mp4WebVttTag = 0x74747677

const unknownSeconds = 4

/** Drones caption their position. */
const placeWords = /\b(?:latitude|longitude)\b|\bGPS\s*[:(]/i

const maxCues = 20_000

export function hasTextTracks({ input, container }: Source): boolean {
  return input.streams.some((stream) => findReader(stream, container) !== undefined)
}

/** Omits image tracks, those past the twentieth, too large ones, and those with positions. */
export async function readTextTracks(path: string): Promise<TextTrack[]> {
  const source = await openSource(path)
  const readings = source.input.streams
    .flatMap((stream) => beginReading(stream, source.container))
    .slice(0, CAPTIONS_PER_VIDEO)
  if (readings.length > 0) {
    for (const stream of [source.video, ...source.audio]) stream.discard = AVDISCARD_ALL
    for (const { stream } of readings) stream.discard = AVDISCARD_DEFAULT
    await readPackets(source, (packet): undefined => {
      const reading = readings.find(({ stream }) => stream.index === packet.streamIndex)
      if (reading?.isReadable) readCues(reading, source, packet)
    })
  }
  const tracks = readings.flatMap(finishReading)
  closeSource(source)
  return tracks
}

function beginReading(stream: Stream, container: Container): Reading[] {
  const read = findReader(stream, container)
  return read ? [{ stream, read, cues: [], bytes: 0, isReadable: true }] : []
}

function findReader({ codecpar }: Stream, container: Container): ReadText | undefined {
  const { codecType, codecId, codecTag } = codecpar
  if (codecType === AVMEDIA_TYPE_DATA && Number(codecTag) === mp4WebVttTag) return readMp4WebVtt
  if (codecType !== AVMEDIA_TYPE_SUBTITLE) return undefined
  // FFmpeg knows an older codec name.
  const isUnknown = codecId === AV_CODEC_ID_NONE && container === 'matroska'
  return isUnknown ? readPlainText : readers.get(codecId)
}

function readCues(reading: Reading, { offsetSeconds }: Source, packet: Packet): void {
  const { data, pts } = packet
  if (!data || !isTimestamp(pts)) return
  const { timeBase } = reading.stream
  const startSeconds = Math.max(0, toSeconds(pts, timeBase) - offsetSeconds)
  const endSeconds = toSeconds(pts + packet.duration, timeBase) - offsetSeconds
  if (packet.duration > 0n && endSeconds <= 0) return
  for (const text of reading.read(data)) {
    const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
    if (lines.length === 0) continue
    const words = lines.join('\n').replaceAll('-->', '--&gt;')
    reading.cues.push({ startSeconds, endSeconds, text: words })
    reading.bytes += Buffer.byteLength(words)
  }
  const isTooMuch = reading.bytes > MAX_CAPTIONS_BYTES || reading.cues.length > maxCues
  if (isTooMuch || reading.cues.at(-1)?.text.includes('\0')) {
    reading.isReadable = false
    reading.cues = []
  }
}

function finishReading({ stream, cues }: Reading): TextTrack[] {
  const places = cues.filter(({ text }) => placeWords.test(text))
  if (cues.length === 0 || places.length * 2 > cues.length) return []
  cues.sort((a, b) => a.startSeconds - b.startSeconds)
  const blocks = cues.map(({ startSeconds, endSeconds, text }, index) => {
    const next = cues[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY
    const isStated = endSeconds > startSeconds
    const end = isStated ? endSeconds : Math.min(startSeconds + unknownSeconds, next)
    return `${writeTime(startSeconds)} --> ${writeTime(end)}\n${text}\n`
  })
  const text = `WEBVTT\n\n${blocks.join('\n')}`
  return [{ language: readLanguage(stream), name: readName(stream), text }]
}

/** Not a name of the writing program. */
function readName({ metadata }: Stream): string | null {
  const handler = metadata?.get('handler_name') ?? ''
  const names = [
    metadata?.get('title'),
    metadata?.get('name'),
    /handler/i.test(handler) ? '' : handler,
  ]
  return names.find((name) => name?.trim()) ?? null
}
