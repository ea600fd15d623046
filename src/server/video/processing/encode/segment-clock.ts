/** Seconds between two key frames where the source does not say otherwise. */
export const segmentSeconds = 2

/** Times are compared across clocks of different units. */
const toleranceSeconds = 0.004

/** True for the first time in each segment; the times asked about must rise. */
export type SegmentClock = (seconds: number) => boolean

/** Between two segments of sound where no picture is any more. */
const tailSegmentSeconds = 10

/**
 * Says where segments begin. Pictures that share a clock's times get their key frames alike.
 * @param starts rising, in seconds, or null for one every two seconds
 * @param options.continues after the last of `starts`, as sound may outlast its picture by far
 */
export function makeSegmentClock(
  starts: readonly number[] | null,
  { continues = false } = {},
): SegmentClock {
  let next = 0
  const startOf = (place: number) => {
    if (!starts) return place * segmentSeconds
    const beyond = place - starts.length + 1
    if (beyond <= 0 || !continues) return starts[place]
    return (starts.at(-1) ?? 0) + beyond * tailSegmentSeconds
  }
  const isDue = (seconds: number) => {
    const due = startOf(next)
    return due !== undefined && seconds >= due - toleranceSeconds
  }
  return (seconds) => {
    if (!isDue(seconds)) return false
    while (isDue(seconds)) next += 1
    return true
  }
}

/**
 * Chooses from a source's key frames those that begin segments: some two seconds apart or more. The first
 * segment begins at 0, to where a first picture that is a little late is brought.
 */
export function chooseSegmentStarts(keyFrameSeconds: readonly number[]): number[] {
  const starts: number[] = []
  for (const seconds of keyFrameSeconds) {
    const last = starts.at(-1)
    if (last === undefined) starts.push(0)
    else if (seconds >= last + segmentSeconds - 0.1) starts.push(seconds)
  }
  return starts
}
