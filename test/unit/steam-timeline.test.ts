import { expect, test } from 'vitest'
import { readTimeline } from '#server/video/moment/steam-timeline.ts'

const read = (timeline: unknown) => readTimeline(Buffer.from(JSON.stringify(timeline)))
const readEntries = (...entries: unknown[]) =>
  read({ daterecorded: '1790731591', starttime: '0', endtime: '2000000', entries })
const weightOf = (entry: object) => readEntries({ time: '0', ...entry })[0]?.weight

test('markers have the times, titles and order of the file', () => {
  const markers = readEntries(
    { id: '1', time: '61252', type: 'gamemode', mode: 1 },
    { id: '2', time: '221435', type: 'state_description', title: 'Hotel' },
    {
      ...{
        id: '4',
        time: '367639',
        type: 'event',
        title: 'New chapter',
        description: 'Hotel\u0007',
      },
      ...{ icon: 'steam_combat', priority: 1000, duration: '0', possible_clip: 2 },
    },
    { id: '9', time: 500, type: 'usermarker', description: '#GameRecording_UserMarker' },
    { id: '20', time: '1235543', type: 'screenshot', icon: 'steam_screenshot', handle: 1 },
    { id: '99', time: '1240000', type: 'error', description: '#GameRecording_RecordingFailed' },
  )
  expect(markers).toEqual([
    { atSeconds: 61.252, weight: 0.2, title: null },
    { atSeconds: 367.639, weight: 0.8, title: 'New chapter: Hotel' },
    { atSeconds: 0.5, weight: 1, title: null },
    { atSeconds: 1235.543, weight: 0.6, title: null },
  ])
})

test('what players marked, then what games praise, weighs more than a game mode; menus weigh nothing', () => {
  const weights = [
    { type: 'usermarker' },
    { type: 'event', possible_clip: '2' },
    { type: 'event' },
    { type: 'phase' },
    { type: 'gamemode', mode: 1 },
  ].map(weightOf)
  expect(weights).toEqual([...weights].sort((a = 0, b = 0) => b - a))
  expect(new Set(weights).size).toBe(5)
  expect(weightOf({ type: 'event', possible_clip: 3 })).toBe(1)
  for (const mode of [0, 3, 4, {}]) expect(weightOf({ type: 'gamemode', mode })).toBeUndefined()
})

test('a title is one line of at most 100 characters, whatever stands there', () => {
  const [long, odd] = readEntries(
    { time: '1', type: 'event', title: 'a'.repeat(5000) },
    { time: '1', type: 'event', title: { html: '<b>' }, description: 7 },
  )
  expect(long?.title).toHaveLength(100)
  expect(odd?.title).toBeNull()
})

const NO_TIMELINE = 'This is no timeline of Steam: choose a file from the folder “timelines”.'
const NO_TIME = 'An entry of this timeline has no valid time.'

test.each([
  ['no JSON', 'text', NO_TIMELINE],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x7b]), NO_TIMELINE],
  ['deep nesting', '['.repeat(1024 * 1024), NO_TIMELINE],
  ['a list', '[]', NO_TIMELINE],
  ['null', 'null', NO_TIMELINE],
  ['entries that are no list', '{"entries":{"0":{}}}', NO_TIMELINE],
  ['an entry that is none', '{"entries":[null]}', NO_TIME],
  ['a missing time', '{"entries":[{"type":"event"}]}', NO_TIME],
  ['a negative time', '{"entries":[{"type":"event","time":"-5"}]}', NO_TIME],
  ['an endless time', '{"entries":[{"type":"event","time":1e999}]}', NO_TIME],
  ['a time in words', '{"entries":[{"type":"event","time":"soon"}]}', NO_TIME],
  [
    'too many entries',
    JSON.stringify({ entries: new Array(5001).fill({ type: 'event', time: '1' }) }),
    'A timeline may have at most 5,000 entries.',
  ],
])('%s is refused with a sentence', (_, text, sentence) => {
  expect(() => readTimeline(Buffer.from(text as string))).toThrow(sentence)
})
