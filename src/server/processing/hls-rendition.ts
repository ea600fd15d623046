import { AV_NOPTS_VALUE, AV_PKT_FLAG_KEY, AVFMT_FLAG_BITEXACT } from 'node-av/constants'
import {
  type CodecContext,
  Dictionary,
  FormatContext,
  type IRational,
  type Packet,
  type Stream,
} from 'node-av/lib'
import { pictureClock } from './encoder.ts'
import { requireSuccess, requireWritten } from './ffmpeg-result.ts'
import { makeSegmentClock, type SegmentClock } from './segment-clock.ts'
import { isTimestamp, toSeconds, toTimestamp } from './timestamps.ts'

/**
 * One rendition on its way into a single fragmented MP4, a fragment for each segment. Packets wait
 * until their segment is complete, so that its sound lies with its pictures.
 */
export type HlsRendition = {
  format: FormatContext
  clock: SegmentClock
  picture: Stream
  sound: Stream | null
  /** Pictures of segments not written yet, oldest first; the last one is still growing. */
  segments: { startSeconds: number; packets: Packet[] }[]
  waitingSound: Packet[]
  soundEndSeconds: number
  /** Where the segments begin that were written, and after `finishRendition` where the last one ends. */
  timesSeconds: number[]
  pictures: number
  /** Start of the picture shown last, and its end. */
  lastPictureSeconds: number
  pictureEndSeconds: number
  lastDts: { picture: bigint; sound: bigint }
}

/** Segments whose pictures wait for a sound that does not come. */
const maxWaitingSegments = 8

/** What a stream may begin late by: its first picture or sound is moved to the front. */
export const maxLateStartSeconds = 0.1

type TrackSource = { encoder: CodecContext } | { copied: Stream }

export function openRendition(
  path: string,
  options: { picture: TrackSource; sound: TrackSource | null; starts: readonly number[] | null },
): HlsRendition {
  const format = new FormatContext()
  requireSuccess(format.allocOutputContext2(null, 'mp4', path), 'prepare rendition')
  format.setFlags(AVFMT_FLAG_BITEXACT)
  requireWritten(format.openOutputSync(), 'create rendition')
  const picture = addTrack(format, options.picture)
  // Players carry times over from step to step: a clock of another pace would shift what follows.
  picture.timeBase = pictureClock
  const sound = options.sound && addTrack(format, options.sound)
  const header = Dictionary.fromObject({
    movflags: '+frag_custom+delay_moov+default_base_moof+skip_trailer',
    write_tmcd: 0,
  })
  requireWritten(format.writeHeaderSync(header), 'write rendition header')
  return {
    format,
    clock: makeSegmentClock(options.starts),
    picture,
    sound,
    segments: [],
    waitingSound: [],
    soundEndSeconds: 0,
    timesSeconds: [],
    pictures: 0,
    lastPictureSeconds: 0,
    pictureEndSeconds: 0,
    lastDts: { picture: AV_NOPTS_VALUE, sound: AV_NOPTS_VALUE },
  }
}

function addTrack(format: FormatContext, source: TrackSource): Stream {
  const stream = format.newStream()
  if ('encoder' in source) {
    requireSuccess(stream.codecpar.fromContext(source.encoder), 'read codec parameters')
    stream.timeBase = source.encoder.timeBase
    return stream
  }
  requireSuccess(source.copied.codecpar.copy(stream.codecpar), 'copy codec parameters')
  stream.codecpar.codecTag = 0
  stream.timeBase = source.copied.timeBase
  return stream
}

/** Takes the next picture, in decoding order; the first one has to be a key frame. */
export function pushPicture(rendition: HlsRendition, packet: Packet, base: IRational): void {
  const kept = keep(rendition, packet, { base, kind: 'picture' })
  if (!kept) return
  const { timeBase } = rendition.picture
  const seconds = toSeconds(kept.pts, timeBase)
  const isKey = (kept.flags & AV_PKT_FLAG_KEY) !== 0
  if (isKey && rendition.clock(seconds)) {
    rendition.segments.push({ startSeconds: seconds, packets: [] })
  }
  rendition.segments.at(-1)?.packets.push(kept)
  rendition.pictures += 1
  rendition.lastPictureSeconds = Math.max(rendition.lastPictureSeconds, seconds)
  const end = seconds + toSeconds(kept.duration, timeBase)
  rendition.pictureEndSeconds = Math.max(rendition.pictureEndSeconds, end)
  writeComplete(rendition)
}

export function pushSound(rendition: HlsRendition, packet: Packet, base: IRational): void {
  const kept = keep(rendition, packet, { base, kind: 'sound' })
  if (!kept || !rendition.sound) return
  rendition.waitingSound.push(kept)
  const { timeBase } = rendition.sound
  rendition.soundEndSeconds = toSeconds(kept.pts + kept.duration, timeBase)
  writeComplete(rendition)
}

/** Writes the rest and closes the file. */
export async function finishRendition(rendition: HlsRendition): Promise<void> {
  for (const [index, segment] of rendition.segments.entries()) {
    const next = rendition.segments[index + 1]
    writeSegment(rendition, segment, next ? next.startSeconds : Number.POSITIVE_INFINITY)
  }
  rendition.segments = []
  const end = Math.max(rendition.pictureEndSeconds, rendition.soundEndSeconds)
  rendition.timesSeconds.push(end)
  requireWritten(await rendition.format.writeTrailer(), 'finish rendition')
  rendition.format.closeOutputSync()
}

/** Closes a file that will not be finished. */
export function abandonRendition(rendition: HlsRendition): void {
  rendition.format.closeOutputSync()
}

function keep(
  rendition: HlsRendition,
  packet: Packet,
  { base, kind }: { base: IRational; kind: 'picture' | 'sound' },
): Packet | null {
  const stream = rendition[kind]
  if (!stream || !isTimestamp(packet.pts) || !isTimestamp(packet.dts)) return null
  const kept = packet.clone()
  if (!kept) throw new Error('A packet could not be kept.')
  kept.rescaleTs(base, stream.timeBase)
  kept.streamIndex = stream.index
  kept.pos = -1n
  const last = rendition.lastDts[kind]
  if (last === AV_NOPTS_VALUE) bringToFront(kept, stream)
  else if (kept.dts <= last) kept.dts = last + 1n
  if (kept.pts < kept.dts) kept.pts = kept.dts
  rendition.lastDts[kind] = kept.dts
  return kept
}

/** A start a little after 0 would need an empty edit, which not every player knows. */
function bringToFront(packet: Packet, stream: Stream): void {
  const late = packet.pts
  if (late <= 0n || late > toTimestamp(maxLateStartSeconds, stream.timeBase)) return
  packet.pts -= late
  packet.dts -= late
  packet.duration += late
}

function writeComplete(rendition: HlsRendition): void {
  for (;;) {
    const [segment, next] = rendition.segments
    if (!segment || !next) return
    const hasSound = !rendition.sound || rendition.soundEndSeconds >= next.startSeconds
    if (!hasSound && rendition.segments.length <= maxWaitingSegments) return
    writeSegment(rendition, segment, next.startSeconds)
    rendition.segments.shift()
  }
}

function writeSegment(
  rendition: HlsRendition,
  segment: HlsRendition['segments'][number],
  untilSeconds: number,
): void {
  const { format, sound, waitingSound } = rendition
  const isInside = (packet: Packet) =>
    sound !== null && toSeconds(packet.pts, sound.timeBase) < untilSeconds
  const later = waitingSound.findIndex((packet) => !isInside(packet))
  const sounds = waitingSound.splice(0, later < 0 ? waitingSound.length : later)
  for (const packet of [...segment.packets, ...sounds]) {
    requireWritten(format.writeFrameSync(packet), 'write rendition')
    packet.free()
  }
  // The first call writes the head, which was held back until the first packets were known.
  if (rendition.timesSeconds.length === 0) requireWritten(format.writeFrameSync(null), 'write head')
  requireWritten(format.writeFrameSync(null), 'write segment')
  rendition.timesSeconds.push(segment.startSeconds)
}
