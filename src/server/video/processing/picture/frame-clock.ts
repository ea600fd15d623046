import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { Frame, Packet } from 'node-av/lib'
import { pictureClock } from '../encode/encoder.ts'
import { maxLateStartSeconds } from '../media-limits.ts'
import type { Source } from '../source/open-source.ts'
import { isTimestamp, rescale, toTimestamp } from '../timestamps.ts'

const usualMostFrameRate = 60

/** Sources a little above 60 frames a second keep all of them. */
const tolerance = 1.02

/** Times are in `pictureClock`. */
export type Place = (time: bigint) => bigint | null

type FrameClock = {
  /** To be called with every packet before it is decoded. */
  notePacket: (packet: Packet) => void
  /** The frame's time in `pictureClock`, always rising, 0 at least; null when it is to be left out. */
  stamp: (frame: Frame) => bigint | null
}

/**
 * Gives decoded frames the times they are shown at. Variable frame rates stay as they are; where they
 * go above 60 frames a second some are left out. No frame is ever repeated, whatever gaps a file claims.
 * @param options.fillsStart a first picture that is late is shown from the start; true by default
 * @param options.maxFrameRate 60 by default
 * @param options.place gives a frame another time; null for one that is left out. What is left of too many frames a second is
 * counted from the first one that it keeps
 */
export function makeFrameClock(
  source: Source,
  frameRate: number,
  {
    fillsStart = true,
    maxFrameRate = usualMostFrameRate,
    place = (time) => time,
  }: { fillsStart?: boolean; maxFrameRate?: number; place?: Place } = {},
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
    const placed = place(time)
    return placed === null ? null : limit(placed)
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
      // Without presentation times (AVI) the decoder's reordering delays every frame alike.
      delay ??= firstPacket === null ? 0n : time - firstPacket
      time = rescale(time - delay - offset, base, pictureClock)
      // A first picture that is very late also fills the time before it.
      if (time < 0n || (fillsStart && last === null && time > longLateStart)) time = 0n
      if (last !== null && time <= last) return null
      last = time
      return settle(time)
    },
  }
}

/**
 * Passes on at most so many times a second, evenly. A source that keeps to that on average may be uneven: it
 * loses none but of its bursts.
 */
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
