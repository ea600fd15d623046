import { expect, test } from 'vitest'
import { cutCaptions } from '#shared/cut-captions.ts'
import {
  cutLength,
  moveRange,
  moveTimesInDescription,
  moveTimesInText,
  timeAfterCut,
  timeBeforeCut,
} from '#shared/cut-times.ts'

const PARTS = [
  { fromSeconds: 10, toSeconds: 20 },
  { fromSeconds: 60, toSeconds: 90 },
]
const after = timeAfterCut(PARTS)
const before = timeBeforeCut(PARTS)

test('times move to where they are after the cut, and those of dropped parts to its edge', () => {
  expect(cutLength(PARTS)).toBe(40)
  const moved = [0, 9.9, 10, 15, 20, 59, 60, 70.5, 90, 500].map((seconds) => after(seconds))
  expect(moved.map(({ seconds }) => seconds)).toEqual([0, 0, 0, 5, 10, 10, 10, 20.5, 40, 40])
  expect(moved.map(({ isKept }) => isKept)).toEqual(
    [0, 0, 1, 1, 0, 0, 1, 1, 0, 0].map((kept) => kept === 1),
  )
})

test('what is kept finds its way back', () => {
  for (const seconds of [10, 15, 19.5, 60, 75, 89]) {
    expect(before(after(seconds).seconds).seconds).toBe(seconds)
  }
  expect(before(40).seconds).toBe(90)
})

test('a range continues behind a dropped part, or is dropped with it', () => {
  expect(moveRange(after, { startSeconds: 15, endSeconds: 65 })).toEqual({
    startSeconds: 5,
    endSeconds: 15,
  })
  expect(moveRange(after, { startSeconds: 25, endSeconds: 55 })).toBeNull()
})

test('times in texts move, and what only looks like one does not', () => {
  const text = 'At 0:15 and 1:10, see https://example.org/1:10, score 3:45, not at 00:30'
  expect(moveTimesInText(text, after, 120)).toBe(
    'At 0:05 and 0:20, see https://example.org/1:10, score 3:45, not at 0:10',
  )
})

test('of chapters that fall together the last one stays', () => {
  const text = 'A match.\n0:00 Menu\n0:12 Round one\n0:30 Break\n1:00 Round two\nThanks'
  expect(moveTimesInDescription(text, after, 120)).toBe(
    'A match.\n0:00 Menu\n0:02 Round one\n0:10 Round two\nThanks',
  )
})

test('captions are cut with their cues, which are there on both sides of what is taken out', () => {
  const text = `WEBVTT

00:05.000 --> 00:12.000 line:10%
<v Ann>Here we go

00:25.000 --> 00:30.000
Nobody hears this

00:18.000 --> 01:02.500
On both
sides
`
  expect(cutCaptions(text, PARTS)).toBe(`WEBVTT

00:00:00.000 --> 00:00:02.000 line:10%
<v Ann>Here we go

00:00:08.000 --> 00:00:10.000
On both
sides

00:00:10.000 --> 00:00:12.500
On both
sides
`)
  expect(cutCaptions('WEBVTT\n\n00:25.000 --> 00:30.000\nNobody\n', PARTS)).toBeNull()
})
