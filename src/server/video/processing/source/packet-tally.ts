import type { Packet, Stream } from 'node-av/lib'
import { isTimestamp, toSeconds } from '../timestamps.ts'

/** Counted: containers' claims may be wrong. */
export type PacketTally = {
  packets: number
  firstSeconds: number
  lastSeconds: number
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

/** By the container; 0 when unknown. */
export function claimedFrameRate({ avgFrameRate }: Stream): number {
  return avgFrameRate.num > 0 ? avgFrameRate.toDouble() : 0
}

/** 0 when unknown. */
export function tallyFrameRate(tally: PacketTally): number {
  const span = tally.lastSeconds - tally.firstSeconds
  return tally.packets > 1 && span > 0 ? (tally.packets - 1) / span : 0
}

/** A last picture without duration counts as one frame. */
export function tallyPictureEnd(video: PacketTally): number {
  if (video.endSeconds > video.lastSeconds) return video.endSeconds
  const rate = tallyFrameRate(video)
  return video.lastSeconds + (rate > 0 ? 1 / rate : 0)
}

export function tallyEnd(video: PacketTally, others: PacketTally[]): number {
  return Math.max(tallyPictureEnd(video), ...others.map((one) => one.endSeconds))
}

export function roundToMs(value: number): number {
  return Math.round(value * 1000) / 1000
}
