import {
  lengthOf,
  shareAt,
  type TimeWindow,
  windowAround,
} from '#client/kit/timeline/time-window.ts'
import { CLIP_DEFAULT_SECONDS, CLIP_SECONDS_MAX, CLIP_SECONDS_MIN } from '#shared/limits.ts'

/** What is chosen of a video, in seconds. */
export type ClipRange = { start: number; end: number }

export type RangeEdge = 'start' | 'end'

type Moved = {
  range: ClipRange
  /** Why it did not move as far as it was asked to. */
  limit: 'short' | 'long' | null
}

/** So much of the strip the range takes when it is drawn anew. */
const WINDOW_LENGTHS = 3
const WINDOW_SECONDS_MIN = 20
/** Nearer to the end of the strip than this an end cannot be seen well. */
const EDGE_SHARE = 0.04
const NARROWEST_SHARE = 0.12

/** The last seconds before a time; near the start of the video its first ones, which reach beyond that time. */
export function lastSeconds(time: number, durationSeconds: number): ClipRange {
  const end = Math.min(Math.max(time, CLIP_DEFAULT_SECONDS), durationSeconds)
  return { start: Math.max(0, end - CLIP_DEFAULT_SECONDS), end }
}

/** One end goes to a time, as far as the video and the limits of a clip allow. */
export function moveEdge(
  { start, end }: ClipRange,
  { edge, to, durationSeconds }: { edge: RangeEdge; to: number; durationSeconds: number },
): Moved {
  const other = edge === 'start' ? end : start
  const sign = edge === 'start' ? -1 : 1
  const inside = clamp(to, 0, durationSeconds)
  const length = (inside - other) * sign
  const fits = clamp(length, CLIP_SECONDS_MIN, CLIP_SECONDS_MAX)
  const at = other + fits * sign
  const limit = length < fits ? 'short' : length > fits ? 'long' : null
  return { range: edge === 'start' ? { start: at, end } : { start, end: at }, limit }
}

/** All of it goes along, as far as there is video. */
export function moveRange(
  { start, end }: ClipRange,
  by: number,
  durationSeconds: number,
): ClipRange {
  const moved = clamp(start + by, 0, durationSeconds - (end - start))
  return { start: moved, end: moved + end - start }
}

/** What the strip shows around a range. */
export function windowOf({ start, end }: ClipRange, durationSeconds: number): TimeWindow {
  const length = Math.max(WINDOW_SECONDS_MIN, (end - start) * WINDOW_LENGTHS)
  return windowAround((start + end) / 2, { length, durationSeconds })
}

/** The same window while the range can be seen well in it. */
export function keepSeen(
  window: TimeWindow,
  range: ClipRange,
  durationSeconds: number,
): TimeWindow {
  const [from, to] = [shareAt(window, range.start), shareAt(window, range.end)]
  const isCut =
    (from < EDGE_SHARE && window.fromSeconds > 0) ||
    (to > 1 - EDGE_SHARE && window.toSeconds < durationSeconds)
  const isNarrow = to - from < NARROWEST_SHARE && lengthOf(window) > WINDOW_SECONDS_MIN
  return isCut || isNarrow ? windowOf(range, durationSeconds) : window
}

/** Shows a little more beyond an end of the strip; for each frame that an end is held against it. */
export function growTowards(
  window: TimeWindow,
  share: number,
  durationSeconds: number,
): TimeWindow {
  const more = lengthOf(window) * 0.02
  if (share < EDGE_SHARE) return { ...window, fromSeconds: Math.max(0, window.fromSeconds - more) }
  if (share > 1 - EDGE_SHARE) {
    return { ...window, toSeconds: Math.min(durationSeconds, window.toSeconds + more) }
  }
  return window
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(least, value), most)
}
