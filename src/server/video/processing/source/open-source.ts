import { open } from 'node:fs/promises'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_CORRUPT,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
  AVERROR_EAGAIN,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import {
  avGetCodecName,
  Dictionary,
  FormatContext,
  type InputFormat,
  Packet,
  type Stream,
} from 'node-av/lib'
import { recorderSoundName } from '#shared/sound-tracks.ts'
import { damagedVideo, UnplayableSourceError, unknownVideo } from '../media-errors.ts'
import { maxVideoPixels } from '../media-limits.ts'
import { isPauseDue, pause } from '../pauses.ts'
import { isTimestamp, toSeconds, toTimestamp } from '../timestamps.ts'
import { type Container, detectContainer, isStreamed } from './container.ts'
import { decoderAllowList, findDecoder } from './decoders.ts'
import { otherKindError, readFileHead, requireUnencrypted, soundFileError } from './file-kind.ts'
import { readMovieSeconds } from './mp4-boxes.ts'
import { canDecode } from './stream-decoder.ts'

export type Source = {
  input: FormatContext
  container: Container
  sizeBytes: number
  video: Stream
  /** Default first, where known; only decodable ones. */
  audio: Stream[]
  /** Subtracted from timestamps, so that playback begins at 0. */
  offsetSeconds: number
  /** As an MP4 states it. */
  statedEndSeconds: number | null
  picturesRead: number
}

export type OpenOptions = { trustsIndex?: boolean; firstSound?: number | undefined }

/** Few recordings have less. */
const leastBitRate = 4_000_000

const lastPictureMaxSeconds = 60

/** Heads count milliseconds, sound whole packets. */
const roundingSeconds = 0.05

const stillPictureCodecs = new Set(['png', 'bmp', 'gif', 'tiff', 'webp', 'jpegxl', 'mjpeg'])

/**
 * Opens main picture and sound only. Names demuxers and decoders: a playlist could open other files, and
 * unused code may have holes (docs/decisions/0006-media-in-a-child-process.md).
 * @param options.trustsIndex about key frames
 * @param options.firstSound from `findHeardSound`
 * @throws UnplayableSourceError for anything but a video
 */
export async function openSource(
  path: string,
  { trustsIndex = false, firstSound }: OpenOptions = {},
): Promise<Source> {
  const { input, container, sizeBytes } = await openFormat(path, { trustsIndex })
  const video = await findMainPicture(input, path)
  const audio = orderSounds(input.streams.filter(isSound), firstSound)
  const wanted = new Set([video, ...audio].map((stream) => stream.index))
  for (const stream of input.streams) {
    stream.discard = wanted.has(stream.index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
  }
  return {
    input,
    container,
    sizeBytes,
    video,
    audio,
    offsetSeconds: findOffset([video, ...audio]),
    statedEndSeconds: container === 'mp4' ? await readStatedEnd(path, audio) : null,
    picturesRead: 0,
  }
}

/** @throws UnplayableSourceError unless it is an MP4 whose first stream is sound that can be decoded */
export async function openSound(path: string): Promise<Pick<Source, 'input'> & { audio: Stream }> {
  const { input } = await openFormat(path)
  const [audio] = input.streams
  if (!audio || !isSound(audio)) throw damagedVideo()
  return { input, audio }
}

async function openFormat(path: string, { trustsIndex = false }: OpenOptions = {}) {
  const { format, container, sizeBytes } = await detectContainer(path)
  const input = new FormatContext()
  const options = Dictionary.fromObject({
    format_whitelist: format.name ?? '',
    codec_whitelist: decoderAllowList,
    probesize: 32 * 1024 * 1024,
    analyzeduration: 10_000_000,
    max_streams: 64,
    ...(trustsIndex && container === 'mp4' && { fflags: 'noparse+nofillin' }),
    ...(isStreamed(container) && { fflags: 'genpts' }),
    ...(container === 'mpegts' && { merge_pmt_versions: 1 }),
  })
  const isOpen =
    (await openInput(input, { path, format, options })) >= 0 && (await input.findStreamInfo()) >= 0
  // Images and segments begin like an MP4.
  if (!isOpen) throw otherKindError(await readFileHead(path)) ?? damagedVideo()
  return { input, container, sizeBytes }
}

export function orderSounds<Sound>(audio: Sound[], firstSound: number | undefined): Sound[] {
  const first = firstSound === undefined ? undefined : audio[firstSound]
  return first ? [first, ...audio.filter((one) => one !== first)] : audio
}

async function openInput(
  input: FormatContext,
  { path, format, options }: { path: string; format: InputFormat; options: Dictionary },
): Promise<number> {
  if (process.platform === 'win32') {
    options.set('protocol_whitelist', 'file')
    return input.openInput(path, format, options)
  }
  const file = await open(path, 'r')
  try {
    options.set('protocol_whitelist', 'fd')
    options.set('fd', `${file.fd}`)
    return await input.openInput('fd:', format, options)
  } finally {
    await file.close()
  }
}

export function closeSource(source: Source): void {
  source.input.closeInputSync()
}

/** An upper estimate: a fragmented head may cover its first fragment only. */
export function expectSeconds({ input, sizeBytes }: Source): number {
  const stated = isTimestamp(input.duration) ? Number(input.duration) / 1e6 : 0
  return Math.max(stated, (sizeBytes * 8) / leastBitRate)
}

type Answer = boolean | undefined

/** Ends when `onPacket` returns false, or at an unreadable or truncated packet. */
export async function readPackets(
  source: Source,
  onPacket: (packet: Packet) => Answer | Promise<Answer>,
): Promise<void> {
  const packet = new Packet()
  packet.alloc()
  for (let continues: Answer = true; continues !== false; ) {
    const code = readPacket(source, packet)
    if (code < 0 && code !== AVERROR_EAGAIN) break
    const isWhole = (packet.flags & AV_PKT_FLAG_CORRUPT) === 0
    const answer = code >= 0 && isWhole ? onPacket(packet) : undefined
    continues = answer instanceof Promise ? await answer : answer
    packet.unref()
    if (isPauseDue()) await pause()
  }
  packet.free()
}

export function readPacket(source: Source, packet: Packet): number {
  const code = source.input.readFrameSync(packet)
  if (code >= 0 && packet.streamIndex === source.video.index) {
    source.picturesRead += 1
    extendLastPicture(source, packet)
  }
  return code
}

/**
 * MP4 durations are in decoding order: where presentation order differs, only the movie's length
 * tells when the last picture ends.
 */
function extendLastPicture(
  { video, statedEndSeconds, picturesRead }: Source,
  packet: Packet,
): void {
  if (statedEndSeconds === null || BigInt(picturesRead) !== video.nbFrames) return
  const end = toTimestamp(statedEndSeconds, video.timeBase)
  const longest = toTimestamp(lastPictureMaxSeconds, video.timeBase)
  const isHeld = isTimestamp(packet.pts) && packet.pts + packet.duration < end
  if (isHeld && end - packet.pts <= longest) packet.duration = end - packet.pts
}

export function codecName(stream: Stream): string {
  return avGetCodecName(stream.codecpar.codecId) ?? 'unknown'
}

/** The movie's length is the picture's where no sound lasts as long. */
async function readStatedEnd(path: string, audio: Stream[]): Promise<number | null> {
  const stated = await readMovieSeconds(path)
  const soundEnds = audio
    .filter(({ duration }) => isTimestamp(duration))
    .map(({ startTime, duration, timeBase }) =>
      toSeconds((isTimestamp(startTime) ? startTime : 0n) + duration, timeBase),
    )
  const isOfSound = stated === null || soundEnds.some((end) => end >= stated - roundingSeconds)
  return isOfSound ? null : stated
}

async function findMainPicture(input: FormatContext, path: string): Promise<Stream> {
  const pictures = input.streams
    .filter((stream) => stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO && !isStill(stream))
    .sort((a, b) => pixels(b) - pixels(a))
  const [largest] = pictures
  if (!largest) throw await noPictureError(input, path)
  requireUnencrypted(largest)
  const picture = pictures.find(findDecoder)
  if (!picture) throw unknownVideo()
  if (pixels(picture) > maxVideoPixels) {
    throw new UnplayableSourceError('The picture of this video is larger than 8K.')
  }
  return picture
}

/** A sound file may have cover art. */
async function noPictureError(
  { streams }: FormatContext,
  path: string,
): Promise<UnplayableSourceError> {
  const other = otherKindError(await readFileHead(path))
  if (other) return other
  const sound = streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)
  if (sound) return soundFileError(codecName(sound))
  if (streams.length === 0) return damagedVideo()
  return new UnplayableSourceError('This file has no moving picture.')
}

function isSound(stream: Stream): boolean {
  return stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO && canDecode(stream)
}

function isStill(stream: Stream): boolean {
  if (
    stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) ||
    stream.hasDisposition(AV_DISPOSITION_STILL_IMAGE) ||
    stream.hasDisposition(AV_DISPOSITION_TIMED_THUMBNAILS)
  ) {
    return true
  }
  return stream.nbFrames === 1n && stillPictureCodecs.has(codecName(stream))
}

function pixels(stream: Stream): number {
  return stream.codecpar.width * stream.codecpar.height
}

function findOffset(streams: Stream[]): number {
  const starts = streams
    .filter((stream) => stream.startTime !== AV_NOPTS_VALUE)
    .map((stream) => toSeconds(stream.startTime, stream.timeBase))
  return playbackOffset(starts.length > 0 ? Math.min(...starts) : 0)
}

/** Players skip encoder priming slightly before 0; shifting would delay the picture. */
export function playbackOffset(start: number): number {
  return start > 0 || start < -0.1 ? start : 0
}

/** A returned promise settles before the next call. */
export type PacketSink = {
  /** The packet is free once it settles. */
  push: (packet: Packet) => Promise<undefined> | undefined
  finish: () => Promise<undefined> | undefined
}

/** Null for possibly personal names. */
export function readSoundName({ metadata }: Stream): string | null {
  const names = ['title', 'name', 'handler_name'].map((key) => metadata?.get(key) ?? '')
  return names.map(recorderSoundName).find((name) => name !== null) ?? null
}

/** ISO 639, without the region or script of a BCP 47 tag such as `pt-BR`. */
export function readLanguage({ metadata }: Stream): string | null {
  const tag = metadata?.get('language')?.toLowerCase() ?? ''
  const language = /^[a-z]{2,3}(?=[-_]|$)/.exec(tag)?.[0]
  return language === undefined || language === 'und' ? null : language
}
