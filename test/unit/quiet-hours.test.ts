import { expect, test } from 'vitest'
import { isTimeZone, minutesOfQuiet } from '#shared/quiet-hours.ts'

const night = { fromMinute: 22 * 60, toMinute: 7 * 60 }

test.each([
  ['2026-01-10T21:59:00Z', 'UTC', undefined],
  ['2026-01-10T22:00:00Z', 'UTC', 9 * 60],
  ['2026-01-10T23:30:59Z', 'UTC', 7 * 60 + 30],
  ['2026-01-10T06:59:00Z', 'UTC', 1],
  ['2026-01-10T07:00:00Z', 'UTC', undefined],
  // Berlin is one hour ahead of UTC in winter and two in summer.
  ['2026-01-10T21:00:00Z', 'Europe/Berlin', 9 * 60],
  ['2026-07-10T20:00:00Z', 'Europe/Berlin', 9 * 60],
  ['2026-01-10T03:00:00Z', 'America/New_York', 9 * 60],
  ['2026-01-10T16:30:00Z', 'Asia/Kolkata', 9 * 60],
])('at %s in %s quiet hours from 22 to 7 last %s more minutes', (now, timeZone, minutes) => {
  expect(minutesOfQuiet({ ...night, timeZone }, new Date(now))).toBe(minutes)
})

test('a period within a day ends on that day, and one without length never begins', () => {
  const noon = new Date('2026-01-10T12:00:00Z')
  const of = (fromMinute: number, toMinute: number) =>
    minutesOfQuiet({ fromMinute, toMinute, timeZone: 'UTC' }, noon)
  expect([of(11 * 60, 13 * 60), of(13 * 60, 14 * 60), of(12 * 60, 12 * 60)]).toEqual([
    60,
    undefined,
    undefined,
  ])
})

test('time zones are those that the runtime knows', () => {
  expect(['Europe/Berlin', 'UTC', 'Nowhere/City', ''].map(isTimeZone)).toEqual([
    ...[true, true, false, false],
  ])
})
