import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { Frame, Packet } from 'node-av/lib'
import { pictureClock } from '../encode/encoder.ts'
import { maxLateStartSeconds } from '../media-limits.ts'
import type { Source } from '../source/open-source.ts'
import { isTimestamp, rescale, toTimestamp } from '../timestamps.ts'

const usualMostFrameRate = 60

const tolerance = 1.02

export type MapTime = (time: bigint) => bigint | null

type FrameClock = {
  /** Before its packet is decoded. */
  notePacket: (packet: Packet) => void
  /** Rising, in `pictureClock`; null drops the frame. */
  stamp: (frame: Frame) => bigint | null
}

/**
 * Never repeats a frame, whatever gaps a file claims.
 * @param options.fillsStart shows a late first picture from 0 (default)
 * @param options.maxFrameRate 60 by default
 * @param options.mapTime null drops a frame
 */
export function makeFrameClock(
  source: Source,
  frameRate: number,
  {
    fillsStart = true,
    maxFrameRate = usualMostFrameRate,
    mapTime = (time) => time,
  }: { fillsStart?: boolean; maxFrameRate?: number; mapTime?: MapTime } = {},
): FrameClock {
  const base = source.video.timeBase
  const offset = toTimestamp(source.offsetSeconds, base)
  const frameTicks = toTimestamp(1 / (frameRate || maxFrameRate), pictureClock)
  const limit = makeRateLimit(frameRate, maxFrameRate)
  const longLateStart = toTimestamp(maxLateStartSeconds, pictureClock)
  let firstPacket: bigint | null = null
  let delay: bigint | null = null
  let last: bigint | null = null
  const settle = (time: bigint) => {
    const mapped = mapTime(time)
    return mapped === null ? null : limit(mapped)
  }
  return {
    notePacket(packet) {
      if (isTimestamp(packet.pts)) delay ??= 0n
      else if (isTimestamp(packet.dts)) firstPacket ??= packet.dts
    },
    stamp(frame) {
      let time = frame.bestEffortTimestamp
      if (time === AV_NOPTS_VALUE) {
        last = last === null ? 0n : last + frameTicks
        return settle(last)
      }
      // AVI has no presentation times, but a constant delay.
      delay ??= firstPacket === null ? 0n : time - firstPacket
      time = rescale(time - delay - offset, base, pictureClock)
      // Also fills the time before a very late first picture.
      if (time < 0n || (fillsStart && last === null && time > longLateStart)) time = 0n
      if (last !== null && time <= last) return null
      last = time
      return settle(time)
    },
  }
}

/** A variable rate within the average loses frames of bursts only; an infinite one none. */
function makeRateLimit(frameRate: number, maxFrameRate: number): (time: bigint) => bigint | null {
  const keepsTo = frameRate > 0 && frameRate <= maxFrameRate * tolerance
  const most = keepsTo ? maxFrameRate * tolerance : maxFrameRate
  const step = BigInt(Math.floor(pictureClock.den / most))
  const early = keepsTo ? step : step / 6n
  let due = 0n
  return (time) => {
    if (time < due - early) return null
    due += step
    if (time > due) due = time + step
    return time
  }
}
