import { expect, test } from 'vitest'
import { forecastStorage } from '#server/desk/overview/forecast.ts'

const GB = 1024 ** 3
const samples = (...bytes: number[]) =>
  bytes.map((one, index) => ({ day: `2026-11-${String(index + 1).padStart(2, '0')}`, bytes: one }))

test('a disk that fills at a steady pace is full when the pace says so', () => {
  const steady = samples(...Array.from({ length: 15 }, (_, day) => day * GB))
  const forecast = forecastStorage(steady, 35 * GB)
  expect(forecast).toMatchObject({ kind: 'filling' })
  expect(forecast).toHaveProperty('weeks', expect.closeTo(5, 6))
  expect(forecast).toHaveProperty('bytesPerWeek', expect.closeTo(7 * GB, -3))
})

test('a disk that empties, stands still or would last ten years is not filling up', () => {
  const notFilling = { kind: 'not-filling' }
  expect(forecastStorage(samples(5, 4, 3, 2, 1), GB)).toEqual(notFilling)
  expect(forecastStorage(samples(5, 5, 5, 5, 5), GB)).toEqual(notFilling)
  expect(forecastStorage(samples(1, 2, 3, 4, 5), 100 * GB)).toEqual(notFilling)
})

test('a disk that is full is full now', () => {
  expect(forecastStorage(samples(1, 2, 3, 4, 5), 0)).toMatchObject({ kind: 'filling', weeks: 0 })
})

test('less than three days of history say nothing', () => {
  expect(forecastStorage(samples(1, 2, 3), GB)).toEqual({ kind: 'unknown' })
  expect(forecastStorage([], GB)).toEqual({ kind: 'unknown' })
})
