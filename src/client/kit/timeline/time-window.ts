/** The stretch of a video that a timeline shows. */
export type TimeWindow = { fromSeconds: number; toSeconds: number }

export const lengthOf = ({ fromSeconds, toSeconds }: TimeWindow) => toSeconds - fromSeconds

/** Where a time is, from 0 at the left to 1 at the right; beyond these outside the window. */
export function shareAt(window: TimeWindow, seconds: number): number {
  return (seconds - window.fromSeconds) / (lengthOf(window) || 1)
}

/** The time under a pointer. @param element as wide as the window */
export function secondsAtX(window: TimeWindow, element: Element, clientX: number): number {
  const { left, width } = element.getBoundingClientRect()
  return window.fromSeconds + ((clientX - left) / (width || 1)) * lengthOf(window)
}

/** A window of some length with a time in its middle, as far as there is video. */
export function windowAround(
  seconds: number,
  { length, durationSeconds }: { length: number; durationSeconds: number },
): TimeWindow {
  const fits = Math.min(length, durationSeconds)
  const fromSeconds = Math.min(Math.max(0, seconds - fits / 2), durationSeconds - fits)
  return { fromSeconds, toSeconds: fromSeconds + fits }
}
