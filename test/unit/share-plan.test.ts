import { expect, test } from 'vitest'
import { planShareFile } from '#server/video/processing/tasks/share-file.ts'

const MAX_BYTES = 10_000_000

test.each([
  [50, 720],
  [100, 480],
  [180, 360],
  [300, 240],
  [540, 240],
])('a video of %i seconds is shared at %ip, within the budget', (seconds, shortSide) => {
  const plan = planShareFile(seconds, MAX_BYTES)
  expect(plan?.shortSide).toBe(shortSide)
  const bitRate = (plan?.pictureBitRate ?? 0) + (plan?.soundBitRate ?? 0)
  expect((bitRate * seconds) / 8).toBeLessThan(MAX_BYTES)
})

test('a video of ten minutes is shared as a picture, or as a file of 20 MB', () => {
  expect(planShareFile(600, MAX_BYTES)).toBeNull()
  expect(planShareFile(600, 2 * MAX_BYTES)?.shortSide).toBe(240)
})
