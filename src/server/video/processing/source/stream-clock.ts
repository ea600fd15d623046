import { damagedVideo } from '../media-errors.ts'

/** A stream whose times step back or forward by more than this may have another clock from there on. */
const backwardSeconds = 0.25
const forwardSeconds = 2

/** Streams of one clock lie at most so far apart in a file. */
const nearSeconds = 1

/** How many clocks back a stream may return to. */
const clocksBack = 4

/** A file of more clocks is made to keep the server busy. */
const mostClocks = 50_000

/** A clock that counts for less, and that its stream left for an earlier one, is an error in single timestamps. */
const leastClockSeconds = 0.2
const leastClockPackets = 10

/** Longer than the picture of a last packet that does not say how long it lasts. */
const leastPacketSeconds = 1 / 60

/** A stretch of a file whose timestamps belong to one clock. Seconds of the file's own timestamps. */
export type ClockStretch = {
  startSeconds: number
  endSeconds: number
  packets: number
  /** Of the packet seen last. */
  currentSeconds: number
  /** A stream went back from it to an earlier one. */
  isLeft: boolean
}

type StreamState = { clock: number; seconds: number }

/** When a packet is decoded, and when it is shown and for how long; null where it does not say. */
type PacketTimes = {
  stream: number
  decodedSeconds: number | null
  shownSeconds: number | null
  durationSeconds: number
}

export type StreamClocks = {
  stretches: ClockStretch[]
  /** Takes the file's next packet. @returns the place of its stretch in `stretches` */
  note: (packet: PacketTimes) => number
}

/**
 * Tells which packets of a file share a clock. Recordings that were joined byte by byte, and recorders that reset their clock,
 * go on with timestamps that have nothing to do with those before.
 * @throws UnplayableSourceError for a file of too many
 */
export function makeStreamClocks(): StreamClocks {
  const stretches: ClockStretch[] = []
  const states = new Map<number, StreamState>()

  const open = (seconds: number): number => {
    if (stretches.length === mostClocks) throw damagedVideo()
    const [startSeconds, endSeconds] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const none = { packets: 0, currentSeconds: seconds, isLeft: false }
    stretches.push({ startSeconds, endSeconds, ...none })
    return stretches.length - 1
  }
  /** The stretch that a stream is in whose time jumped. */
  const find = (seconds: number, left: number): number => {
    for (let place = stretches.length - 1; place >= stretches.length - clocksBack; place -= 1) {
      const stretch = stretches[place]
      if (!stretch || place === left) continue
      if (Math.abs(stretch.currentSeconds - seconds) < nearSeconds) return place
    }
    return open(seconds)
  }
  const clockOf = (state: StreamState | undefined, seconds: number): number => {
    if (!state) return stretches.length > 0 ? stretches.length - 1 : open(seconds)
    const step = seconds - state.seconds
    const own = stretches[state.clock]
    // Other streams of its clock may be there already: this one has nothing in between.
    const isAhead = step > forwardSeconds && seconds > (own?.endSeconds ?? 0) + forwardSeconds
    if (step >= -backwardSeconds && !isAhead) return state.clock
    const clock = find(seconds, state.clock)
    if (own && clock < state.clock) own.isLeft = true
    return clock
  }
  return {
    stretches,
    note({ stream, decodedSeconds, shownSeconds, durationSeconds }) {
      const state = states.get(stream)
      const seconds = decodedSeconds ?? shownSeconds
      if (seconds === null) return state?.clock ?? Math.max(0, stretches.length - 1)
      const clock = clockOf(state, seconds)
      states.set(stream, { clock, seconds })
      const stretch = stretches[clock]
      if (!stretch) return clock
      const shown = shownSeconds ?? seconds
      stretch.currentSeconds = seconds
      stretch.packets += 1
      stretch.startSeconds = Math.min(stretch.startSeconds, shown)
      const end = shown + Math.max(durationSeconds, leastPacketSeconds)
      stretch.endSeconds = Math.max(stretch.endSeconds, end)
      return clock
    },
  }
}

/**
 * Puts the stretches of a file after each other.
 * @param longestGapSeconds what is missing for longer was not recorded; else nothing happened for as long as the clock says
 * @returns what to add to the timestamps of each; null where its packets are to be left out
 */
export function joinStretches(
  stretches: readonly ClockStretch[],
  longestGapSeconds: number,
): (number | null)[] {
  let last: { endSeconds: number; shift: number } | null = null
  return stretches.map(({ startSeconds, endSeconds, packets, isLeft }) => {
    const isShort = endSeconds - startSeconds < leastClockSeconds && packets < leastClockPackets
    if (isLeft && isShort) return null
    const gap: number = last === null ? 0 : startSeconds - last.endSeconds
    let shift: number = last?.shift ?? 0
    if (gap < 0 || gap > longestGapSeconds) shift += -gap
    last = { endSeconds, shift }
    return shift
  })
}
