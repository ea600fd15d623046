export type TimeWindow = { fromSeconds: number; toSeconds: number }

export const lengthOf = ({ fromSeconds, toSeconds }: TimeWindow) => toSeconds - fromSeconds

/** 0 left, 1 right; beyond these outside. */
export function shareAt(window: TimeWindow, seconds: number): number {
  return (seconds - window.fromSeconds) / (lengthOf(window) || 1)
}

/** @param element as wide as the window */
export function secondsAtX(window: TimeWindow, element: Element, clientX: number): number {
  const { left, width } = element.getBoundingClientRect()
  return window.fromSeconds + ((clientX - left) / (width || 1)) * lengthOf(window)
}

/** Centred, within the video. */
export function windowAround(
  seconds: number,
  { length, durationSeconds }: { length: number; durationSeconds: number },
): TimeWindow {
  const fits = Math.min(length, durationSeconds)
  const fromSeconds = Math.min(Math.max(0, seconds - fits / 2), durationSeconds - fits)
  return { fromSeconds, toSeconds: fromSeconds + fits }
}
