import { expect, test } from 'vitest'
import {
  endOwnReaction,
  noteOwnReaction,
  takeOwnReaction,
} from '#client/watch/reaction/reaction-bus.ts'
import {
  findReactionMarks,
  pickKinds,
  planFloats,
  timeReactions,
} from '#client/watch/reaction/timed-reactions.ts'
import { withReaction } from '#client/watch/reaction/with-reaction.ts'
import { bucketSecondsOf, decodeCounts, encodeCounts } from '#shared/reactions.ts'

test('counts are encoded as one digit each, with 35 as the maximum, and decoded again', () => {
  expect(encodeCounts([0, 1, 10, 35, 36, 1000, 0, 0])).toBe('01azzz')
  expect(decodeCounts('01azzz')).toEqual([0, 1, 10, 35, 35, 35])
  expect(encodeCounts([])).toBe('')
  expect(decodeCounts('')).toEqual([])
})

test('a video has at most 600 buckets, whose length is a power of two seconds', () => {
  const sizes = [0, 1, 600, 601, 1200, 3600, 86_400].map(bucketSecondsOf)
  expect(sizes).toEqual([1, 1, 1, 2, 2, 8, 256])
  for (let seconds = 0; seconds < 100_000; seconds += 777) {
    expect(Math.ceil(seconds / bucketSecondsOf(seconds))).toBeLessThanOrEqual(600)
  }
})

test('of many reactions a few are chosen to float, in proportion to their kinds', () => {
  const { parts } = timeReactions({ bucketSeconds: 1, counts: { fire: '0z', gg: '05' } })
  const part = parts.get(1) ?? []
  expect(part).toEqual([35, 0, 0, 0, 0, 5])
  expect(pickKinds(part, 4)).toEqual(['fire', 'fire', 'fire', 'gg'])
  expect(pickKinds(part, 1)).toEqual(['fire'])
  expect(pickKinds([0, 0, 1, 0, 0, 0], 4)).toEqual(['wow'])
  expect(pickKinds([], 4)).toEqual([])
})

test('the reactions of a part float evenly from its start to its end, and none before', () => {
  const counts = { fire: '0z', gg: '05', wow: '001' }
  const timed = timeReactions({ bucketSeconds: 8, counts })
  expect(planFloats(timed, 1)).toEqual([
    { atSeconds: 9, kind: 'fire' },
    { atSeconds: 11, kind: 'fire' },
    { atSeconds: 13, kind: 'fire' },
    { atSeconds: 15, kind: 'gg' },
  ])
  expect(planFloats(timed, 2)).toEqual([{ atSeconds: 20, kind: 'wow' }])
  expect(planFloats(timed, 0)).toEqual([])
})

test('at most sixteen marks show the parts with the most reactions', () => {
  const counts = { laugh: `${'0'.repeat(100)}z${'0'.repeat(99)}1`, skull: `5${'0'.repeat(598)}z` }
  const whole = { start: 0, end: 600 }
  const marks = findReactionMarks(timeReactions({ bucketSeconds: 1, counts }), whole)
  expect(marks.map(({ kind }) => kind).sort()).toEqual(['laugh', 'skull'])
  expect(marks.every(({ share }) => share > 0 && share < 1)).toBe(true)
  const all = timeReactions({ bucketSeconds: 1, counts: { fire: '9'.repeat(600) } })
  const spread = findReactionMarks(all, whole).map(({ share }) => share)
  expect(spread).toHaveLength(16)
  expect(spread.filter((share) => share > 0.5).length).toBeGreaterThan(5)
  expect(findReactionMarks(all, { start: 0, end: 0 })).toEqual([])
})

test('a clip has the marks of its part of the video', () => {
  const counts = { laugh: `${'0'.repeat(100)}z${'0'.repeat(99)}1`, skull: '5' }
  const timed = timeReactions({ bucketSeconds: 1, counts })
  const marks = findReactionMarks(timed, { start: 90.5, end: 110.5 })
  expect(marks).toEqual([{ share: 0.47, kind: 'laugh' }])
})

test('a new reaction is added to its bucket, even after the last one that has any', () => {
  const none = { bucketSeconds: 8, counts: {} }
  const one = withReaction(none, 'gg', 17)
  expect(one).toEqual({ bucketSeconds: 8, counts: { gg: '001' } })
  expect(withReaction(one, 'gg', 23).counts).toEqual({ gg: '002' })
  expect(withReaction(one, 'fire', 0).counts).toEqual({ gg: '001', fire: '1' })
})

test('a replaced reaction is taken out of its bucket, unless more were counted than are told', () => {
  const some = { bucketSeconds: 8, counts: { gg: '0021', fire: '00z' } }
  expect(withReaction(some, 'gg', 17, -1).counts.gg).toBe('0011')
  expect(withReaction(some, 'gg', 24, -1).counts.gg).toBe('002')
  expect(withReaction(some, 'fire', 17, -1).counts.fire).toBe('00z')
  expect(withReaction(some, 'wow', 17, -1).counts.wow).toBe('')
})

test('a note of an own reaction is for one video, is used once, and ends after two seconds', () => {
  const own = { videoId: 1, kind: 'fire', second: 5 } as const
  noteOwnReaction(own)
  expect(takeOwnReaction({ ...own, videoId: 2 })).toBe(false)
  expect(takeOwnReaction({ ...own, kind: 'gg' })).toBe(false)
  expect(takeOwnReaction(own)).toBe(true)
  expect(takeOwnReaction(own)).toBe(false)
  noteOwnReaction(own)
  endOwnReaction(own, 1000)
  expect(takeOwnReaction(own, 3001)).toBe(false)
  noteOwnReaction(own)
  endOwnReaction(own, 1000)
  expect(takeOwnReaction(own, 2500)).toBe(true)
})
