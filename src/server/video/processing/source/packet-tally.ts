import type { Packet, Stream } from 'node-av/lib'
import { isTimestamp, toSeconds } from '../timestamps.ts'

/** What one stream was seen to hold: the container's own claims may be missing or wrong. */
export type PacketTally = {
  packets: number
  firstSeconds: number
  /** Start of the latest packet. */
  lastSeconds: number
  /** The latest end of a packet. */
  endSeconds: number
}

export function newTally(): PacketTally {
  return {
    packets: 0,
    firstSeconds: Number.POSITIVE_INFINITY,
    lastSeconds: Number.NEGATIVE_INFINITY,
    endSeconds: Number.NEGATIVE_INFINITY,
  }
}

export function tallyPacket(tally: PacketTally, packet: Packet, stream: Stream): void {
  tally.packets += 1
  const timestamp = isTimestamp(packet.pts) ? packet.pts : packet.dts
  if (!isTimestamp(timestamp)) return
  const seconds = toSeconds(timestamp, stream.timeBase)
  tally.firstSeconds = Math.min(tally.firstSeconds, seconds)
  tally.lastSeconds = Math.max(tally.lastSeconds, seconds)
  const end = seconds + toSeconds(packet.duration, stream.timeBase)
  tally.endSeconds = Math.max(tally.endSeconds, end)
}

/** Frames per second over the whole stream; 0 when there are too few to measure. */
export function tallyFrameRate(tally: PacketTally): number {
  const span = tally.lastSeconds - tally.firstSeconds
  return tally.packets > 1 && span > 0 ? (tally.packets - 1) / span : 0
}

/** The end of the picture, counting a last one without a length as one frame long. */
export function tallyPictureEnd(video: PacketTally): number {
  if (video.endSeconds > video.lastSeconds) return video.endSeconds
  const rate = tallyFrameRate(video)
  return video.lastSeconds + (rate > 0 ? 1 / rate : 0)
}

/** The end of the longest stream. */
export function tallyEnd(video: PacketTally, others: PacketTally[]): number {
  return Math.max(tallyPictureEnd(video), ...others.map((one) => one.endSeconds))
}

export function roundToMs(value: number): number {
  return Math.round(value * 1000) / 1000
}
