import { expect, test } from 'vitest'
import {
  BEST_CLIPS,
  clipsOfChannel,
  clipsOfVideo,
  foundClips,
  parseClipQueueKey,
} from '#client/browse/queue/clip-queue-key.ts'
import { parseQueueKey, searchQueue } from '#client/browse/queue/queue-key.ts'
import { entriesFrom, shuffleEntries } from '#client/browse/queue/queue-order.ts'

const list = [1, 2, 3, 4].map((id) => ({ id }))
const ids = (entries: { id: number }[]) => entries.map(({ id }) => id)
const around = (videoId: number, step: 1 | -1, isRound = false) =>
  ids(entriesFrom(list, { videoId, step, isRound }))

test('what follows and what comes before, nearest first', () => {
  expect(around(2, 1)).toEqual([3, 4])
  expect(around(3, -1)).toEqual([2, 1])
  expect(around(4, 1)).toEqual([])
})

test('a list that loops begins again, without what plays', () => {
  expect(around(3, 1, true)).toEqual([4, 1, 2])
  expect(around(1, -1, true)).toEqual([4, 3, 2])
})

test('after a video that has gone comes the one that took its place', () => {
  const place = { videoId: 9, index: 2 }
  const input = { videoId: 9, isRound: false, place }
  expect(ids(entriesFrom(list, { ...input, step: 1 }))).toEqual([3, 4])
  expect(ids(entriesFrom(list, { ...input, step: -1 }))).toEqual([2, 1])
})

test('a shuffle begins with what plays, has all of the list and stays when the list grows', () => {
  const shuffle = { seed: 7, firstId: 3 }
  const long = Array.from({ length: 40 }, (_, index) => ({ id: index + 1 }))
  const before = ids(shuffleEntries(long, shuffle))
  expect(before[0]).toBe(3)
  expect(before).not.toEqual(ids(long))
  expect(before.toSorted((a, b) => a - b)).toEqual(ids(long))
  const after = ids(shuffleEntries([...long, { id: 41 }], shuffle))
  expect(after.filter((id) => id !== 41)).toEqual(before)
  expect(ids(shuffleEntries(long, { ...shuffle, seed: 8 }))).not.toEqual(before)
})

test('an address names a list, or none', () => {
  expect(parseQueueKey('12')).toEqual({ kind: 'playlist', id: 12 })
  expect(parseQueueKey('channel:5')).toEqual({ kind: 'channel', id: 5 })
  expect(parseQueueKey('watch-later')).toEqual({ kind: 'watch-later' })
  const search = searchQueue({ q: 'a & b', sort: 'views' })
  expect(parseQueueKey(search)).toMatchObject({
    kind: 'search',
    input: { q: 'a & b', sort: 'views' },
  })
  for (const key of [undefined, '', '0', '-1', '1e3', 'channel:', 'search:', 'toString']) {
    expect(parseQueueKey(key)).toEqual({ kind: 'none' })
  }
})

test('the address of a clip names a list of clips, or none', () => {
  expect(parseClipQueueKey(BEST_CLIPS)).toEqual({ of: 'week' })
  expect(parseClipQueueKey(clipsOfVideo(3))).toEqual({ of: 'video', id: 3 })
  expect(parseClipQueueKey(clipsOfChannel(5))).toEqual({ of: 'channel', id: 5 })
  expect(parseClipQueueKey(foundClips('a & b: c'))).toEqual({ of: 'search', q: 'a & b: c' })
  for (const key of [undefined, '12', 'channel:5', 'clips:', 'clips:video:0', 'clips:search: ']) {
    expect(parseClipQueueKey(key)).toEqual({ of: 'none' })
  }
  // And a video's page plays no list of clips.
  expect(parseQueueKey(BEST_CLIPS)).toEqual({ kind: 'none' })
})
