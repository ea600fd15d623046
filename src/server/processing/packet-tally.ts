import type { Packet, Stream } from 'node-av/lib'
import { isTimestamp, toSeconds } from './timestamps.ts'

/** What one stream was seen to hold: the container's own claims may be missing or wrong. */
export type PacketTally = {
  packets: number
  firstSeconds: number
  /** Start of the latest packet. */
  lastSeconds: number
  /** End of the latest packet. */
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
  if (seconds >= tally.lastSeconds) {
    tally.lastSeconds = seconds
    tally.endSeconds = Math.max(
      tally.endSeconds,
      seconds + toSeconds(packet.duration, stream.timeBase),
    )
  }
}

/** Frames per second over the whole stream; 0 when there are too few to tell. */
export function tallyFrameRate(tally: PacketTally): number {
  const span = tally.lastSeconds - tally.firstSeconds
  return tally.packets > 1 && span > 0 ? (tally.packets - 1) / span : 0
}

/** The end of the longest stream, counting a last picture without a length as one frame long. */
export function tallyEnd(video: PacketTally, others: PacketTally[]): number {
  const rate = tallyFrameRate(video)
  const videoEnd = Math.max(video.endSeconds, video.lastSeconds + (rate > 0 ? 1 / rate : 0))
  return Math.max(videoEnd, ...others.map((one) => one.endSeconds))
}

export function roundToMs(value: number): number {
  return Math.round(value * 1000) / 1000
}
