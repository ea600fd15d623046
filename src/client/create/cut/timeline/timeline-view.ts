import type { TimeWindow } from '#client/kit/timeline/time-window.ts'

/** Shortest view in seconds. */
const SHORTEST = 1

export const wholeView = (durationSeconds: number): TimeWindow => ({
  fromSeconds: 0,
  toSeconds: durationSeconds,
})

/**
 * Keeps the given time in place.
 * @param factor below 1 enlarges
 */
export function zoomView(
  view: TimeWindow,
  {
    factor,
    atSeconds,
    durationSeconds,
  }: { factor: number; atSeconds: number; durationSeconds: number },
): TimeWindow {
  const length = view.toSeconds - view.fromSeconds
  const least = Math.min(SHORTEST, durationSeconds)
  const next = Math.max(least, Math.min(durationSeconds, length * factor))
  const share = (atSeconds - view.fromSeconds) / length
  return place(atSeconds - share * next, next, durationSeconds)
}

/** Within the video. */
export function panView(
  view: TimeWindow,
  { bySeconds, durationSeconds }: { bySeconds: number; durationSeconds: number },
): TimeWindow {
  const length = view.toSeconds - view.fromSeconds
  return place(view.fromSeconds + bySeconds, length, durationSeconds)
}

/** Scrolls only if the time is outside. */
export function followView(
  view: TimeWindow,
  { seconds, durationSeconds }: { seconds: number; durationSeconds: number },
): TimeWindow {
  if (seconds >= view.fromSeconds && seconds <= view.toSeconds) return view
  const length = view.toSeconds - view.fromSeconds
  return place(seconds - length * 0.1, length, durationSeconds)
}

function place(fromSeconds: number, length: number, durationSeconds: number): TimeWindow {
  const from = Math.max(0, Math.min(durationSeconds - length, fromSeconds))
  return { fromSeconds: from, toSeconds: from + length }
}

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** Round times, at least this far apart. */
export function ticksOf(view: TimeWindow, leastSeconds: number): { step: number; times: number[] } {
  const step = STEPS.find((one) => one >= leastSeconds) ?? 7200
  const first = Math.ceil(view.fromSeconds / step)
  const count = Math.max(0, Math.floor(view.toSeconds / step) - first + 1)
  return { step, times: Array.from({ length: count }, (_, index) => (first + index) * step) }
}
