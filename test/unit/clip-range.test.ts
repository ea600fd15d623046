import { expect, test } from 'vitest'
import {
  growTowards,
  keepSeen,
  lastSeconds,
  moveEdge,
  moveRange,
  windowOf,
} from '#client/watch/clip/maker/choose-range.ts'

const durationSeconds = 600

test('the last 15 seconds are chosen, or the first where a video has hardly begun', () => {
  expect(lastSeconds(40, durationSeconds)).toEqual({ start: 25, end: 40 })
  expect(lastSeconds(6, durationSeconds)).toEqual({ start: 0, end: 15 })
  expect(lastSeconds(1, durationSeconds)).toEqual({ start: 0, end: 15 })
  expect(lastSeconds(0, 9)).toEqual({ start: 0, end: 9 })
})

test('an end goes as far as the video and the limits of a clip allow, and says which limit it met', () => {
  const range = { start: 100, end: 115 }
  const move = (edge: 'start' | 'end', to: number) => moveEdge(range, { edge, to, durationSeconds })
  expect(move('start', 90)).toEqual({ range: { start: 90, end: 115 }, limit: null })
  expect(move('start', 114.5)).toEqual({ range: { start: 113, end: 115 }, limit: 'short' })
  expect(move('end', 20)).toEqual({ range: { start: 100, end: 102 }, limit: 'short' })
  expect(move('end', 900)).toEqual({ range: { start: 100, end: 280 }, limit: 'long' })
  const last = moveEdge({ start: 590, end: 595 }, { edge: 'end', to: 700, durationSeconds })
  expect(last).toEqual({ range: { start: 590, end: 600 }, limit: null })
  expect(moveRange(range, 1000, durationSeconds)).toEqual({ start: 585, end: 600 })
})

test('the strip stays while the range is seen well, and grows where an end is held against it', () => {
  const range = { start: 100, end: 115 }
  const window = windowOf(range, durationSeconds)
  expect(window).toEqual({ fromSeconds: 85, toSeconds: 130 })
  expect(keepSeen(window, { start: 90, end: 120 }, durationSeconds)).toBe(window)
  const beyond = { start: 60, end: 115 }
  expect(keepSeen(window, beyond, durationSeconds)).toEqual(windowOf(beyond, durationSeconds))
  expect(growTowards(window, 0.5, durationSeconds)).toBe(window)
  expect(growTowards(window, 0, durationSeconds).fromSeconds).toBeLessThan(85)
  expect(growTowards(window, 1, durationSeconds).toSeconds).toBeGreaterThan(130)
})
