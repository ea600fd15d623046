import type { FormatContext, IRational, Packet } from 'node-av/lib'
import { makeSegmentClock, type SegmentClock } from '../encode/segment-clock.ts'
import { requireWritten } from '../ffmpeg-calls.ts'
import { toSeconds } from '../timestamps.ts'
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

export type SoundRendition = {
  format: FormatContext
  clock: SegmentClock
  track: FragmentedTrack
  endSeconds: number
  /** Segment starts; finally also the end. */
  timesSeconds: number[]
}

/** @param options.starts of the renditions */
export function openSoundRendition(
  path: string,
  options: { sound: TrackSource; starts: readonly number[] | null },
): SoundRendition {
  const format = createFragmentedMp4(path)
  const track = addFragmentedTrack(format, options.sound)
  beginFragments(format)
  const clock = makeSegmentClock(options.starts, { continues: true })
  return { format, clock, track, endSeconds: 0, timesSeconds: [] }
}

export function pushToSoundRendition(
  rendition: SoundRendition,
  packet: Packet,
  base: IRational,
): void {
  const { format, track, timesSeconds } = rendition
  const copy = keepPacket(track, packet, base)
  if (!copy) return
  const { timeBase } = track.stream
  const seconds = toSeconds(copy.pts, timeBase)
  const isFirst = timesSeconds.length === 0
  if (rendition.clock(Math.max(seconds, 0)) || isFirst) {
    if (!isFirst) writeFragment(format, { isFirst: timesSeconds.length === 1 })
    timesSeconds.push(isFirst ? 0 : seconds)
  }
  rendition.endSeconds = Math.max(
    rendition.endSeconds,
    toSeconds(copy.pts + copy.duration, timeBase),
  )
  requireWritten(format.writeFrameSync(copy), 'write sound')
  copy.free()
}

export async function finishSoundRendition(rendition: SoundRendition): Promise<void> {
  const { format, timesSeconds, endSeconds } = rendition
  writeFragment(format, { isFirst: timesSeconds.length <= 1 })
  timesSeconds.push(endSeconds)
  await endFragments(format)
}

export function abandonSoundRendition({ format }: SoundRendition): void {
  format.closeOutputSync()
}
