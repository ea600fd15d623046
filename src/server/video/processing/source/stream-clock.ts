import { damagedVideo } from '../media-errors.ts'

/** Larger steps may be another clock. */
const backwardSeconds = 0.25
const forwardSeconds = 2

const nearSeconds = 1

const clocksBack = 4

/** More is an attack. */
const mostClocks = 50_000

/** A shorter one is an error in single timestamps. */
const leastClockSeconds = 0.2
const leastClockPackets = 10

/** For a last packet without duration. */
const leastPacketSeconds = 1 / 60

export type ClockRange = {
  startSeconds: number
  endSeconds: number
  packets: number
  currentSeconds: number
  /** The stream returned to an earlier clock. */
  isLeft: boolean
}

type StreamState = { clock: number; seconds: number }

type PacketTimes = {
  stream: number
  decodedSeconds: number | null
  shownSeconds: number | null
  durationSeconds: number
}

export type StreamClocks = {
  ranges: ClockRange[]
  /** @returns index of the range */
  note: (packet: PacketTimes) => number
}

/**
 * Joined files and reset recorders continue with unrelated timestamps.
 * @throws UnplayableSourceError for too many clocks
 */
export function makeStreamClocks(): StreamClocks {
  const ranges: ClockRange[] = []
  const states = new Map<number, StreamState>()

  const open = (seconds: number): number => {
    if (ranges.length === mostClocks) throw damagedVideo()
    const [startSeconds, endSeconds] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const none = { packets: 0, currentSeconds: seconds, isLeft: false }
    ranges.push({ startSeconds, endSeconds, ...none })
    return ranges.length - 1
  }
  const find = (seconds: number, left: number): number => {
    for (let position = ranges.length - 1; position >= ranges.length - clocksBack; position -= 1) {
      const range = ranges[position]
      if (!range || position === left) continue
      if (Math.abs(range.currentSeconds - seconds) < nearSeconds) return position
    }
    return open(seconds)
  }
  const clockOf = (state: StreamState | undefined, seconds: number): number => {
    if (!state) return ranges.length > 0 ? ranges.length - 1 : open(seconds)
    const step = seconds - state.seconds
    const own = ranges[state.clock]
    // Only a gap of this stream if the others are already there.
    const isAhead = step > forwardSeconds && seconds > (own?.endSeconds ?? 0) + forwardSeconds
    if (step >= -backwardSeconds && !isAhead) return state.clock
    const clock = find(seconds, state.clock)
    if (own && clock < state.clock) own.isLeft = true
    return clock
  }
  return {
    ranges,
    note({ stream, decodedSeconds, shownSeconds, durationSeconds }) {
      const state = states.get(stream)
      const seconds = decodedSeconds ?? shownSeconds
      if (seconds === null) return state?.clock ?? Math.max(0, ranges.length - 1)
      const clock = clockOf(state, seconds)
      states.set(stream, { clock, seconds })
      const range = ranges[clock]
      if (!range) return clock
      const shown = shownSeconds ?? seconds
      range.currentSeconds = seconds
      range.packets += 1
      range.startSeconds = Math.min(range.startSeconds, shown)
      const end = shown + Math.max(durationSeconds, leastPacketSeconds)
      range.endSeconds = Math.max(range.endSeconds, end)
      return clock
    },
  }
}

/**
 * @param longestGapSeconds longer ones are closed
 * @returns shift per range; null drops it
 */
export function joinRanges(
  ranges: readonly ClockRange[],
  longestGapSeconds: number,
): (number | null)[] {
  let last: { endSeconds: number; shift: number } | null = null
  return ranges.map(({ startSeconds, endSeconds, packets, isLeft }) => {
    const isShort = endSeconds - startSeconds < leastClockSeconds && packets < leastClockPackets
    if (isLeft && isShort) return null
    const gap: number = last === null ? 0 : startSeconds - last.endSeconds
    let shift: number = last?.shift ?? 0
    if (gap < 0 || gap > longestGapSeconds) shift += -gap
    last = { endSeconds, shift }
    return shift
  })
}
