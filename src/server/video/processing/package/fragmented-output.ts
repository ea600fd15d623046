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

export type FragmentedTrack = {
  format: FormatContext
  stream: Stream
  lastDts: bigint
  /** From decoding to showing the first packet. */
  lead: bigint
}

export type TrackSource = { encoder: CodecContext } | { copied: Stream }

const maxLeadSeconds = 0.1

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

/** After all tracks, before any packet. */
export function beginFragments(format: FormatContext): void {
  const header = Dictionary.fromObject({
    movflags: '+frag_custom+delay_moov+default_base_moof+skip_trailer+frag_discont',
    write_tmcd: 0,
  })
  requireWritten(format.writeHeaderSync(header), 'write rendition header')
}

export function writeFragment(format: FormatContext, { isFirst }: { isFirst: boolean }): void {
  if (isFirst) requireWritten(format.writeFrameSync(null), 'write head')
  requireWritten(format.writeFrameSync(null), 'write segment')
}

export async function endFragments(format: FormatContext): Promise<void> {
  requireWritten(await format.writeTrailer(), 'finish rendition')
  format.closeOutputSync()
}

/** @returns a packet owned by the caller; null without a time */
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
 * Fragments cannot begin before 0. The first declares a later start, as stream players ignore empty
 * edits. For encoder priming an empty packet sets the start; the edit list drops it.
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
 * Some players add the lead to the length; it is long where a late first picture is shown from 0.
 */
function limitLead(packet: Packet, stream: Stream): void {
  const earliest = packet.pts - toTimestamp(maxLeadSeconds, stream.timeBase)
  if (packet.dts < earliest) packet.dts = earliest
}
