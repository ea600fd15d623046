import {
  lengthOf,
  shareAt,
  type TimeWindow,
  windowAround,
} from '#client/kit/timeline/time-window.ts'
import { CLIP_DEFAULT_SECONDS, CLIP_SECONDS_MAX, CLIP_SECONDS_MIN } from '#shared/limits.ts'

/** Seconds. */
export type ClipRange = { start: number; end: number }

export type RangeEdge = 'start' | 'end'

type Moved = {
  range: ClipRange
  /** Limit that stopped the move. */
  limit: 'short' | 'long' | null
}

/** Window length in ranges. */
const WINDOW_LENGTHS = 3
const WINDOW_SECONDS_MIN = 20
/** An end closer to the strip's edge is hard to see. */
const EDGE_SHARE = 0.04
const NARROWEST_SHARE = 0.12

/** Near the start, the first seconds, which extend beyond `time`. */
export function lastSeconds(time: number, durationSeconds: number): ClipRange {
  const end = Math.min(Math.max(time, CLIP_DEFAULT_SECONDS), durationSeconds)
  return { start: Math.max(0, end - CLIP_DEFAULT_SECONDS), end }
}

/** Within the video and clip limits. */
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

/** Within the video. */
export function moveRange(
  { start, end }: ClipRange,
  by: number,
  durationSeconds: number,
): ClipRange {
  const moved = clamp(start + by, 0, durationSeconds - (end - start))
  return { start: moved, end: moved + end - start }
}

/** Centred around the range. */
export function windowOf({ start, end }: ClipRange, durationSeconds: number): TimeWindow {
  const length = Math.max(WINDOW_SECONDS_MIN, (end - start) * WINDOW_LENGTHS)
  return windowAround((start + end) / 2, { length, durationSeconds })
}

/** Keeps the window while the range is well visible. */
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

/** Called per frame while an end is held against the edge. */
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
