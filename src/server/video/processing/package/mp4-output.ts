import {
  AV_NOPTS_VALUE,
  AV_PKT_FLAG_KEY,
  AVERROR_EINVAL,
  AVERROR_INVALIDDATA,
  AVFMT_FLAG_BITEXACT,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants'
import {
  avRescaleDelta,
  type CodecContext,
  Dictionary,
  FormatContext,
  type IRational,
  type Packet,
  type Stream,
} from 'node-av/lib'
import type { Deliver } from '../encode/encoder.ts'
import { requireSuccess, requireWritten } from '../ffmpeg-calls.ts'
import { damagedVideo } from '../media-errors.ts'
import { longSeconds } from '../media-limits.ts'
import { readLanguage, readSoundName } from '../source/open-source.ts'
import { newTally, type PacketTally, tallyPacket } from '../source/packet-tally.ts'
import { rescale, toSeconds, toTimestamp } from '../timestamps.ts'
import { beginLongMp4, finishLongMp4, type LongMp4, longFlags, notePacket } from './long-mp4.ts'

/**
 * `rewrite` copies the finished file to move the index; `reserve` keeps free bytes; `finishMp4`
 * returns false if too few.
 */
export type IndexLocation = { kind: 'rewrite' } | { kind: 'reserve'; bytes: number }

export type Mp4Output = {
  path: string
  format: FormatContext
  location: IndexLocation
  tracks: Mp4Track[]
  /** 0 when unknown. */
  seconds: number
  long: LongMp4 | null
}

type Mp4Track = {
  stream: Stream
  tally: PacketTally
  lastDts: bigint
  firstPts: bigint
  /** 0 when unknown. */
  frameSeconds: number
  /** Rounding carried between sound packets. */
  rescaleState: { value: bigint }
}

/** @param seconds an estimate */
export function openMp4(path: string, location: IndexLocation, seconds: number): Mp4Output {
  const format = new FormatContext()
  requireSuccess(format.allocOutputContext2(null, 'mp4', path), 'prepare MP4')
  format.setFlags(AVFMT_FLAG_BITEXACT)
  if (seconds < longSeconds) requireWritten(format.openOutputSync(), 'create MP4')
  return { path, format, location, tracks: [], seconds, long: null }
}

/** Keeps only display matrix, language and name. */
export function addCopiedTrack(output: Mp4Output, source: Stream): Mp4Track {
  const stream = output.format.newStream()
  requireSuccess(source.codecpar.copy(stream.codecpar), 'copy codec parameters')
  stream.codecpar.codecTag = 0
  stream.timeBase = source.timeBase
  stream.avgFrameRate = source.avgFrameRate
  stream.sampleAspectRatio = source.sampleAspectRatio
  keepNames(stream, source)
  return registerTrack(output, stream)
}

export function deliverTo(
  output: Mp4Output,
  track: Mp4Track,
  { interleaved }: { interleaved: boolean },
): Deliver {
  return (packet, base) => writePacket(output, track, packet, { base, interleaved })
}

/** @param source of language and name */
export function addEncodedTrack(
  output: Mp4Output,
  encoder: CodecContext,
  source?: Stream,
): Mp4Track {
  const stream = output.format.newStream()
  requireSuccess(stream.codecpar.fromContext(encoder), 'read codec parameters')
  stream.timeBase = encoder.timeBase
  if (source) keepNames(stream, source)
  return registerTrack(output, stream)
}

function keepNames(stream: Stream, source: Stream): void {
  const language = readLanguage(source)
  const name = readSoundName(source)
  if (!language && !name) return
  stream.metadata = Dictionary.fromObject({
    ...(language && { language }),
    ...(name && { handler_name: name }),
  })
}

function registerTrack(output: Mp4Output, stream: Stream): Mp4Track {
  const track = {
    stream,
    tally: newTally(),
    lastDts: AV_NOPTS_VALUE,
    firstPts: AV_NOPTS_VALUE,
    frameSeconds: stream.avgFrameRate.num > 0 ? 1 / stream.avgFrameRate.toDouble() : 0,
    rescaleState: { value: AV_NOPTS_VALUE },
  }
  output.tracks.push(track)
  return track
}

/**
 * After all tracks, before any packet.
 * @param options.hasEditLists false starts each track at 0
 */
export function beginMp4(output: Mp4Output, { hasEditLists = true } = {}): void {
  const { location, path, format, seconds, tracks } = output
  const isLong = seconds >= longSeconds
  if (isLong) {
    const reserve = location.kind === 'reserve' ? location.bytes : guessIndexBytes(output)
    output.long = beginLongMp4(format, { path, reserve, tracks: tracks.length, hasEditLists })
  }
  const start = isLong ? longFlags : location.kind === 'rewrite' ? '+faststart' : ''
  const movflags = hasEditLists ? start : `${start}+negative_cts_offsets`
  const options = Dictionary.fromObject({
    write_tmcd: 0,
    ...(movflags && { movflags }),
    ...(location.kind === 'reserve' && !isLong && { moov_size: location.bytes }),
    ...(!hasEditLists && { use_editlist: 0, avoid_negative_ts: 'disabled' }),
  })
  requireWritten(format.writeHeaderSync(options), 'write MP4 header')
}

const mostFrameRate = 60
const soundPacketsPerSecond = 50

function guessIndexBytes({ tracks, seconds }: Mp4Output): number {
  const perSecond = tracks.map(({ stream }) => {
    const isSound = stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO
    // Size, composition offset of pictures, a chunk per second.
    return isSound ? soundPacketsPerSecond * 4 + 16 : mostFrameRate * 12 + 16
  })
  return Math.ceil(perSecond.reduce((sum, bytes) => sum + bytes, 0) * seconds * 1.05) + 64 * 1024
}

/** Changes the packet. `interleaved: false` keeps the call order: less memory and index. */
function writePacket(
  output: Mp4Output,
  track: Mp4Track,
  packet: Packet,
  { base, interleaved }: { base: IRational; interleaved: boolean },
): void {
  const { long } = output
  if (long && packet.size === 0) return
  rescalePacket(track, packet, base)
  if (!repairOrder(track, packet)) return
  packet.streamIndex = track.stream.index
  packet.pos = -1n
  tallyPacket(track.tally, packet, track.stream)
  if (long) {
    const seconds = toSeconds(packet.dts, track.stream.timeBase)
    notePacket(long, { track: packet.streamIndex, dts: packet.dts, seconds, bytes: packet.size })
  }
  const isSorted = interleaved && !long
  const code = isSorted
    ? output.format.interleavedWriteFrameSync(packet)
    : output.format.writeFrameSync(packet)
  if (code === AVERROR_EINVAL || code === AVERROR_INVALIDDATA) throw damagedVideo()
  requireWritten(code, 'write MP4 packet')
}

/** @returns false when the reserve is too small */
export async function finishMp4(output: Mp4Output): Promise<boolean> {
  if (output.long) {
    await finishLongMp4(output.long)
    return true
  }
  const code = await output.format.writeTrailer()
  output.format.closeOutputSync()
  const isShort = output.location.kind === 'reserve' && code === AVERROR_EINVAL
  if (!isShort) requireWritten(code, 'finish MP4')
  return !isShort
}

export function abandonMp4({ format, long }: Mp4Output): void {
  if (long) long.io.closepSync()
  else format.closeOutputSync()
}

function rescalePacket(track: Mp4Track, packet: Packet, base: IRational): void {
  const { codecpar, timeBase } = track.stream
  const isSound = codecpar.codecType === AVMEDIA_TYPE_AUDIO && codecpar.frameSize > 0
  if (!isSound || packet.dts === AV_NOPTS_VALUE) {
    packet.rescaleTs(base, timeBase)
    return
  }
  const clock = { num: 1, den: codecpar.sampleRate }
  const timestamp = avRescaleDelta(
    base,
    packet.dts,
    clock,
    codecpar.frameSize,
    track.rescaleState,
    timeBase,
  )
  packet.duration = rescale(packet.duration, base, timeBase)
  packet.pts = timestamp
  packet.dts = timestamp
}

/** MP4 requires rising decoding times, none after presentation. */
function repairOrder(track: Mp4Track, packet: Packet): boolean {
  const first = track.lastDts === AV_NOPTS_VALUE
  const isSound = track.stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO
  if (first && !isSound && (packet.flags & AV_PKT_FLAG_KEY) === 0) return false
  if (packet.pts === AV_NOPTS_VALUE && packet.dts === AV_NOPTS_VALUE) return false
  if (packet.dts === AV_NOPTS_VALUE) packet.dts = inventDts(track, packet)
  if (packet.pts === AV_NOPTS_VALUE) packet.pts = packet.dts
  if (first) track.firstPts = packet.pts
  // They refer to missing pictures, and an edit list may not begin with them.
  if (!isSound && packet.pts < track.firstPts) return false
  if (!first && packet.dts <= track.lastDts) packet.dts = track.lastDts + 1n
  if (packet.pts < packet.dts) packet.pts = packet.dts
  track.lastDts = packet.dts
  return true
}

/** Matroska has none until FFmpeg derives them. */
function inventDts({ stream, lastDts, frameSeconds }: Mp4Track, packet: Packet): bigint {
  const frame = toTimestamp(frameSeconds, stream.timeBase)
  const dts =
    lastDts === AV_NOPTS_VALUE
      ? packet.pts - frame * BigInt(stream.codecpar.videoDelay)
      : lastDts + frame
  return dts < packet.pts ? dts : packet.pts
}
