import {
  AV_NOPTS_VALUE,
  AVERROR_EINVAL,
  AVERROR_INVALIDDATA,
  AVFMT_FLAG_BITEXACT,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import {
  type CodecContext,
  Dictionary,
  FormatContext,
  type IRational,
  type Packet,
  type Stream,
} from 'node-av/lib'
import { requireSuccess, requireWritten } from '../ffmpeg-calls.ts'
import { unknownVideo } from '../media-errors.ts'
import { codecName } from '../source/open-source.ts'
import { isTimestamp } from '../timestamps.ts'

export type MatroskaOutput = { format: FormatContext }

export type MatroskaTrack = {
  stream: Stream
  /** Matroska stores one time per packet: for these codecs the decoding time. */
  keepsDecodingTimes: boolean
  /** Shift that shows the first picture on time. */
  delay: bigint | null
  lastDts: bigint
}

/** These have no codec id and are stored as Video for Windows. */
const foreignCodecs = new Set([
  ...['wmv1', 'wmv2', 'wmv3', 'vc1', 'wmv3image', 'vc1image', 'mss1', 'mss2', 'flv1'],
  ...['vp6', 'vp6f', 'vp6a', 'flashsv', 'flashsv2', 'vp3', 'msmpeg4v1', 'msmpeg4v2', 'msmpeg4v3'],
])

export function openMatroska(path: string): MatroskaOutput {
  const format = new FormatContext()
  requireSuccess(format.allocOutputContext2(null, 'matroska', path), 'prepare Matroska')
  format.setFlags(AVFMT_FLAG_BITEXACT)
  requireWritten(format.openOutputSync(), 'create Matroska')
  return { format }
}

export function addMatroskaTrack(output: MatroskaOutput, source: Stream): MatroskaTrack {
  const stream = output.format.newStream()
  requireSuccess(source.codecpar.copy(stream.codecpar), 'copy codec parameters')
  stream.codecpar.codecTag = 0
  stream.timeBase = source.timeBase
  stream.avgFrameRate = source.avgFrameRate
  // The muxer requires equal values.
  stream.sampleAspectRatio =
    source.sampleAspectRatio.num > 0 ? source.sampleAspectRatio : source.codecpar.sampleAspectRatio
  stream.codecpar.sampleAspectRatio = stream.sampleAspectRatio
  if (source.metadata) stream.metadata = source.metadata
  const isPicture = source.codecpar.codecType === AVMEDIA_TYPE_VIDEO
  const keepsDecodingTimes = isPicture && foreignCodecs.has(codecName(source))
  return { stream, keepsDecodingTimes, delay: null, lastDts: AV_NOPTS_VALUE }
}

export function addPlainTrack(output: MatroskaOutput, encoder: CodecContext): MatroskaTrack {
  const stream = output.format.newStream()
  requireSuccess(stream.codecpar.fromContext(encoder), 'read codec parameters')
  stream.timeBase = encoder.timeBase
  return { stream, keepsDecodingTimes: false, delay: null, lastDts: AV_NOPTS_VALUE }
}

/** After all tracks, before any packet. */
export function beginMatroska({ format }: MatroskaOutput): void {
  // Else encoder priming before 0 shifts everything.
  const options = Dictionary.fromObject({ avoid_negative_ts: 'disabled' })
  const code = format.writeHeaderSync(options)
  if (code === AVERROR_EINVAL || code === AVERROR_INVALIDDATA) throw unknownVideo()
  requireWritten(code, 'write Matroska header')
}

/** Changes the packet; drops what Matroska rejects. */
export function writeMatroska(
  { format }: MatroskaOutput,
  track: MatroskaTrack,
  { packet, base }: { packet: Packet; base: IRational },
): void {
  packet.rescaleTs(base, track.stream.timeBase)
  if (!repairTimes(track, packet)) return
  packet.streamIndex = track.stream.index
  packet.pos = -1n
  const code = format.writeFrameSync(packet)
  if (code !== AVERROR_EINVAL && code !== AVERROR_INVALIDDATA) {
    requireWritten(code, 'write Matroska packet')
  }
}

export async function finishMatroska({ format }: MatroskaOutput): Promise<void> {
  const code = await format.writeTrailer()
  format.closeOutputSync()
  requireWritten(code, 'finish Matroska')
}

export function abandonMatroska({ format }: MatroskaOutput): void {
  format.closeOutputSync()
}

function repairTimes(track: MatroskaTrack, packet: Packet): boolean {
  if (!isTimestamp(packet.pts)) packet.pts = packet.dts
  if (!isTimestamp(packet.dts)) packet.dts = packet.pts
  if (!isTimestamp(packet.pts)) return false
  if (track.keepsDecodingTimes) {
    track.delay ??= packet.pts > packet.dts ? packet.pts - packet.dts : 0n
    packet.dts += track.delay
    packet.pts = packet.dts
  }
  if (isTimestamp(track.lastDts) && packet.dts < track.lastDts) packet.dts = track.lastDts
  if (packet.pts < packet.dts) packet.pts = packet.dts
  track.lastDts = packet.dts
  return true
}
