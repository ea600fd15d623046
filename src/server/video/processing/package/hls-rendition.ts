import { AV_PKT_FLAG_KEY } from 'node-av/constants'
import type { FormatContext, IRational, Packet } from 'node-av/lib'
import { pictureClock } from '../encode/encoder.ts'
import { makeSegmentClock, type SegmentClock } from '../encode/segment-clock.ts'
import { requireWritten } from '../ffmpeg-calls.ts'
import { toSeconds, toTimestamp } from '../timestamps.ts'
import {
  addFragmentedTrack,
  beginFragments,
  createFragmentedMp4,
  endFragments,
  type FragmentedTrack,
  keepPacket,
  type TrackSource,
  writeFragment,
} from './fragmented-output.ts'

/** Packets wait for their segment, so that its sound and picture are adjacent. */
export type HlsRendition = {
  format: FormatContext
  clock: SegmentClock
  picture: FragmentedTrack
  sound: FragmentedTrack | null
  /** Oldest first; the last is incomplete. */
  segments: { startSeconds: number; packets: Packet[] }[]
  waitingSound: Packet[]
  soundEndSeconds: number
  /** Segment starts; finally also the end. */
  timesSeconds: number[]
  pictures: number
  lastPictureSeconds: number
  pictureEndSeconds: number
}

/** Limit of segments that wait for sound. */
const maxWaitingSegments = 8

export function openRendition(
  path: string,
  options: { picture: TrackSource; sound: TrackSource | null; starts: readonly number[] | null },
): HlsRendition {
  const format = createFragmentedMp4(path)
  const picture = addFragmentedTrack(format, options.picture)
  // Players use times across renditions.
  picture.stream.timeBase = pictureClock
  const sound = options.sound && addFragmentedTrack(format, options.sound)
  beginFragments(format)
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
  }
}

/** In decoding order, from a key frame. */
export function pushPicture(rendition: HlsRendition, packet: Packet, base: IRational): void {
  const copy = keepPacket(rendition.picture, packet, base)
  if (!copy) return
  const { timeBase } = rendition.picture.stream
  const seconds = toSeconds(copy.pts, timeBase)
  const isKey = (copy.flags & AV_PKT_FLAG_KEY) !== 0
  if (isKey && rendition.clock(seconds)) {
    rendition.segments.push({ startSeconds: seconds, packets: [] })
  }
  rendition.segments.at(-1)?.packets.push(copy)
  rendition.pictures += 1
  rendition.lastPictureSeconds = Math.max(rendition.lastPictureSeconds, seconds)
  const end = seconds + toSeconds(copy.duration, timeBase)
  rendition.pictureEndSeconds = Math.max(rendition.pictureEndSeconds, end)
  writeComplete(rendition)
}

export function pushSound(rendition: HlsRendition, packet: Packet, base: IRational): void {
  if (!rendition.sound) return
  const copy = keepPacket(rendition.sound, packet, base)
  if (!copy) return
  rendition.waitingSound.push(copy)
  const { timeBase } = rendition.sound.stream
  rendition.soundEndSeconds = toSeconds(copy.pts + copy.duration, timeBase)
  writeComplete(rendition)
}

export async function finishRendition(rendition: HlsRendition): Promise<void> {
  lastUntilEnd(rendition)
  for (const [index, segment] of rendition.segments.entries()) {
    writeSegment(rendition, segment, rendition.segments[index + 1])
  }
  rendition.segments = []
  const end = Math.max(rendition.pictureEndSeconds, rendition.soundEndSeconds)
  rendition.timesSeconds.push(end)
  await endFragments(rendition.format)
}

export function abandonRendition(rendition: HlsRendition): void {
  rendition.format.closeOutputSync()
}

function writeComplete(rendition: HlsRendition): void {
  for (;;) {
    const [segment, next] = rendition.segments
    if (!segment || !next) return
    const hasSound = !rendition.sound || rendition.soundEndSeconds >= next.startSeconds
    if (!hasSound && rendition.segments.length <= maxWaitingSegments) return
    writeSegment(rendition, segment, next)
    rendition.segments.shift()
  }
}

function writeSegment(
  rendition: HlsRendition,
  segment: HlsRendition['segments'][number],
  next: HlsRendition['segments'][number] | undefined,
): void {
  const { format, sound, waitingSound } = rendition
  const untilSeconds = next ? next.startSeconds : Number.POSITIVE_INFINITY
  const isInside = (packet: Packet) =>
    sound !== null && toSeconds(packet.pts, sound.stream.timeBase) < untilSeconds
  const later = waitingSound.findIndex((packet) => !isInside(packet))
  const sounds = waitingSound.splice(0, later < 0 ? waitingSound.length : later)
  lastUntilNext(segment.packets, next?.packets[0])
  lastUntilNext(sounds, waitingSound[0])
  for (const packet of [...segment.packets, ...sounds]) {
    requireWritten(format.writeFrameSync(packet), 'write rendition')
    packet.free()
  }
  const isFirst = rendition.timesSeconds.length === 0
  writeFragment(format, { isFirst })
  rendition.timesSeconds.push(isFirst ? 0 : segment.startSeconds)
}

/** The last shown picture may not be the last decoded. */
function lastUntilEnd({ segments, picture, pictureEndSeconds }: HlsRendition): void {
  const last = segments.at(-1)?.packets.at(-1)
  if (!last) return
  const duration = toTimestamp(pictureEndSeconds, picture.stream.timeBase) - picture.lead - last.dts
  if (duration > 0n) last.duration = duration
}

/** FFmpeg continues from the previous fragment's durations, whatever the next packet says. */
function lastUntilNext(packets: Packet[], next: Packet | undefined): void {
  const last = packets.at(-1)
  if (last && next) last.duration = next.dts - last.dts
}
