import { damagedVideo } from '../media-errors.ts'

/** A stream that goes back by more than this has another clock from there on. */
const backwardSeconds = 0.25

/** Streams of one clock lie at most so far apart in a file. */
const nearSeconds = 1

/** How many clocks back a stream may return to. */
const clocksBack = 4

/** A file of more clocks is made to keep the server busy. */
const mostClocks = 2000

/** A clock that counts for less is an error in single timestamps. */
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
 * @param options.longestGapSeconds a stream that goes forward by more has another clock; what is not there for so long is
 * silence or a still picture else
 */
export function makeStreamClocks(options: { longestGapSeconds: number }): StreamClocks {
  const stretches: ClockStretch[] = []
  const states = new Map<number, StreamState>()

  const open = (seconds: number): number => {
    if (stretches.length === mostClocks) throw damagedVideo()
    const endSeconds = Number.NEGATIVE_INFINITY
    stretches.push({ startSeconds: seconds, endSeconds, packets: 0, currentSeconds: seconds })
    return stretches.length - 1
  }
  /** The stretch that a stream without one, or whose time jumped, is in. */
  const find = (seconds: number, leave: number | undefined): number => {
    for (let place = stretches.length - 1; place >= stretches.length - clocksBack; place -= 1) {
      const stretch = stretches[place]
      if (!stretch || place === leave) continue
      if (Math.abs(stretch.currentSeconds - seconds) < nearSeconds) return place
    }
    return open(seconds)
  }
  const clockOf = (state: StreamState | undefined, seconds: number): number => {
    if (!state) {
      // A stream may begin long after the others, and still be theirs.
      const [only] = stretches
      const reach = options.longestGapSeconds
      const isOfFirst =
        stretches.length === 1 && only && Math.abs(only.currentSeconds - seconds) < reach
      return isOfFirst ? 0 : find(seconds, undefined)
    }
    const step = seconds - state.seconds
    if (step < -backwardSeconds) return find(seconds, state.clock)
    return step > options.longestGapSeconds ? find(seconds, undefined) : state.clock
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
 * @returns what to add to the timestamps of each; null where its packets are to be left out
 */
export function joinStretches(stretches: readonly ClockStretch[]): (number | null)[] {
  let end: number | null = null
  return stretches.map(({ startSeconds, endSeconds, packets }) => {
    const isShort = endSeconds - startSeconds < leastClockSeconds && packets < leastClockPackets
    if (isShort && stretches.length > 1) return null
    const shift: number = end === null ? 0 : end - startSeconds
    end = endSeconds + shift
    return shift
  })
}
