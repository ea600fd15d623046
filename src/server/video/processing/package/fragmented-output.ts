import { AV_NOPTS_VALUE, AVFMT_FLAG_BITEXACT } from 'node-av/constants'
import {
  type CodecContext,
  Dictionary,
  FormatContext,
  type IRational,
  Packet,
  type Stream,
} from 'node-av/lib'
import { requireSuccess, requireWritten } from '../ffmpeg-calls.ts'
import { isTimestamp, toTimestamp } from '../timestamps.ts'

/** One track of a fragmented MP4. */
export type FragmentedTrack = {
  format: FormatContext
  stream: Stream
  lastDts: bigint
  /** How long before it is shown the first packet is decoded. */
  lead: bigint
}

export type TrackSource = { encoder: CodecContext } | { copied: Stream }

/** The longest that a stream is decoded ahead of its first picture. */
const maxLeadSeconds = 0.1

/** Opens a file whose fragments end where `writeFragment` says. */
export function createFragmentedMp4(path: string): FormatContext {
  const format = new FormatContext()
  requireSuccess(format.allocOutputContext2(null, 'mp4', path), 'prepare rendition')
  format.setFlags(AVFMT_FLAG_BITEXACT)
  requireWritten(format.openOutputSync(), 'create rendition')
  return format
}

export function addFragmentedTrack(format: FormatContext, source: TrackSource): FragmentedTrack {
  const stream = format.newStream()
  if ('encoder' in source) {
    requireSuccess(stream.codecpar.fromContext(source.encoder), 'read codec parameters')
    stream.timeBase = source.encoder.timeBase
  } else {
    requireSuccess(source.copied.codecpar.copy(stream.codecpar), 'copy codec parameters')
    stream.codecpar.codecTag = 0
    stream.timeBase = source.copied.timeBase
  }
  return { format, stream, lastDts: AV_NOPTS_VALUE, lead: 0n }
}

/** To be called after the last track was added and before the first packet. */
export function beginFragments(format: FormatContext): void {
  const header = Dictionary.fromObject({
    movflags: '+frag_custom+delay_moov+default_base_moof+skip_trailer+frag_discont',
    write_tmcd: 0,
  })
  requireWritten(format.writeHeaderSync(header), 'write rendition header')
}

/** Puts what was written since the last time into a fragment. */
export function writeFragment(format: FormatContext, { isFirst }: { isFirst: boolean }): void {
  // The first call writes the head, which was held back until the first packets were known.
  if (isFirst) requireWritten(format.writeFrameSync(null), 'write head')
  requireWritten(format.writeFrameSync(null), 'write segment')
}

export async function endFragments(format: FormatContext): Promise<void> {
  requireWritten(await format.writeTrailer(), 'finish rendition')
  format.closeOutputSync()
}

/**
 * A packet of the caller's own, in the track's time and behind the one before; null for one without a time.
 * @param base what the packet's timestamps are in
 */
export function keepPacket(track: FragmentedTrack, packet: Packet, base: IRational): Packet | null {
  const { stream, lastDts } = track
  if (!isTimestamp(packet.pts) || !isTimestamp(packet.dts)) return null
  const copy = packet.clone()
  if (!copy) throw new Error('A packet could not be copied.')
  copy.rescaleTs(base, stream.timeBase)
  copy.streamIndex = stream.index
  copy.pos = -1n
  if (lastDts === AV_NOPTS_VALUE) {
    limitLead(copy, stream)
    declareStart(track, copy)
    track.lead = copy.pts - copy.dts
  } else if (copy.dts <= lastDts) copy.dts = lastDts + 1n
  if (copy.pts < copy.dts) copy.pts = copy.dts
  track.lastDts = copy.dts
  return copy
}

/**
 * A track may begin a little after 0: its first fragment says when, since players of streams pass over an empty edit.
 * Before 0, where encoders of sound have their run-in, no fragment can begin: a packet without bytes informs the muxer of
 * the start, and the edit list leaves the run-in out.
 */
function declareStart({ format, stream }: FragmentedTrack, first: Packet): void {
  if (first.pts >= 0n) return
  const start = new Packet()
  start.alloc()
  start.streamIndex = stream.index
  start.dts = first.dts - 1n
  start.pts = start.dts + (first.pts - first.dts)
  requireWritten(format.writeFrameSync(start), 'begin rendition')
  start.free()
}

/**
 * Players that count a file's length from its decoding times count the lead as well. It is long where the
 * first picture is: one that is held from the beginning, because the recording's picture began late.
 */
function limitLead(packet: Packet, stream: Stream): void {
  const earliest = packet.pts - toTimestamp(maxLeadSeconds, stream.timeBase)
  if (packet.dts < earliest) packet.dts = earliest
}
