import { expect, test } from 'vitest'
import { planShareFile } from '#server/video/processing/tasks/share-file.ts'
import { SHARE_FILE_BYTES_MAX } from '#shared/limits.ts'

test.each([
  [4, 720],
  [8, 480],
  [14, 360],
  [25, 240],
  [42, 240],
])('a video of %i minutes is shared at %ip, within the budget', (minutes, shortSide) => {
  const plan = planShareFile(minutes * 60)
  expect(plan?.shortSide).toBe(shortSide)
  const bitRate = (plan?.pictureBitRate ?? 0) + (plan?.soundBitRate ?? 0)
  expect((bitRate * minutes * 60) / 8).toBeLessThan(SHARE_FILE_BYTES_MAX)
})

test('a video of an hour is shared as a picture', () => {
  expect(planShareFile(3600)).toBeNull()
})
