import { expect, test } from 'vitest'
import { addCut, type Cut, moveEnd, partOf, readCuts } from '#client/watch/squad-view/cut-list.ts'
import { createMatchClock } from '#client/watch/squad-view/match-clock.ts'

const cut = (videoId: number, fromSeconds: number, toSeconds: number): Cut => ({
  ...{ videoId, fromSeconds, toSeconds },
})

test('a cut takes the place of what was there', () => {
  const cuts = [cut(1, 0, 10), cut(2, 10, 20)]
  expect(addCut(cuts, cut(3, 5, 12))).toEqual([cut(1, 0, 5), cut(3, 5, 12), cut(2, 12, 20)])
  expect(addCut(cuts, cut(3, 3, 7))).toEqual([
    ...[cut(1, 0, 3), cut(3, 3, 7), cut(1, 7, 10), cut(2, 10, 20)],
  ])
})

test('neighbours of one recording become one cut', () => {
  expect(addCut([cut(1, 0, 10)], cut(1, 10, 15))).toEqual([cut(1, 0, 15)])
  expect(addCut([cut(1, 0, 10)], cut(1, 12, 15))).toEqual([cut(1, 0, 10), cut(1, 12, 15)])
})

test('what is too short for a montage is left out', () => {
  expect(addCut([cut(1, 0, 10)], cut(2, 4, 5))).toEqual([cut(1, 0, 10)])
  expect(addCut([cut(1, 0, 10)], cut(2, 1, 9.5))).toEqual([cut(2, 1, 9.5)])
})

test('an end moves up to its neighbour, and leaves enough for a montage', () => {
  const cuts = [cut(1, 0, 10), cut(2, 12, 20)]
  expect(moveEnd(cuts, { index: 0, end: 'to', seconds: 30 })[0]?.toSeconds).toBe(12)
  expect(moveEnd(cuts, { index: 1, end: 'from', seconds: 3 })[1]?.fromSeconds).toBe(10)
  expect(moveEnd(cuts, { index: 1, end: 'to', seconds: 3 })[1]?.toSeconds).toBe(14)
})

test('a cut is the part that its recording has', () => {
  const recording = { offsetSeconds: 5, durationSeconds: 30 }
  expect(partOf(cut(1, 10, 20), recording)).toEqual({ fromSeconds: 5, toSeconds: 15 })
  expect(partOf(cut(1, 0, 10), recording)).toEqual({ fromSeconds: 0, toSeconds: 5 })
  expect(partOf(cut(1, 34, 60), recording)).toBeUndefined()
})

test('what is stored and no list of cuts is ignored', () => {
  for (const text of [null, '', '{', '{}', '[1, null, {"videoId": "a"}]']) {
    expect(readCuts(text)).toEqual([])
  }
  expect(readCuts(JSON.stringify([cut(1, 2, 8)]))).toEqual([cut(1, 2, 8)])
})

test('the clock of a match plays, pauses, seeks, and waits for the large picture', () => {
  let time = 0
  const clock = createMatchClock(
    () => 60,
    () => time,
  )
  const after = (ms: number) => {
    time += ms
    return clock.now()
  }
  expect(after(1000)).toBe(0)
  clock.play()
  expect(after(2000)).toBe(2)
  clock.lead.hold(true)
  expect(after(5000)).toBe(2)
  clock.lead.at(2.1)
  expect(after(1000)).toBeCloseTo(3.1)
  clock.setRate(2)
  expect(after(1000)).toBeCloseTo(5.1)
  clock.pause()
  expect(after(1000)).toBeCloseTo(5.1)
  clock.seek(58)
  clock.play()
  expect(after(5000)).toBe(60)
  clock.play()
  expect(clock.now()).toBe(0)
})
