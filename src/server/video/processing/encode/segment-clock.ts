export const segmentSeconds = 2

const toleranceSeconds = 0.004

/** True once per segment; times must rise. */
export type SegmentClock = (seconds: number) => boolean

/** For sound beyond the picture. */
const tailSegmentSeconds = 10

/**
 * @param starts rising seconds; null for one every two seconds
 * @param options.continues adds segments after the last of `starts`
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
 * Key frames some two seconds apart. The first segment begins at 0, where a slightly late first
 * picture is moved.
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
