import { expect, test } from 'vitest'
import { limitHeldPictures } from '#server/video/processing/encode/held-pictures.ts'

const hd = { width: 1920, height: 1080 }
const uhd = { width: 3840, height: 2160 }
const [short, hours] = [60, 10_800]

test.each([
  ['short recording in HD', { encoded: hd, source: hd }, short, undefined],
  ['short recording in 4K', { encoded: uhd, source: uhd }, short, '4'],
  ['step of HD of a short recording in 4K', { encoded: hd, source: uhd }, short, undefined],
  ['long recording in HD', { encoded: hd, source: hd }, hours, '4'],
  ['step of HD of a long recording in 4K', { encoded: hd, source: uhd }, hours, '0'],
  ['long recording in 4K', { encoded: uhd, source: uhd }, hours, '0'],
])('x264 looks ahead as far as there is memory: %s', (_name, sizes, seconds, pictures) => {
  expect(limitHeldPictures(sizes, seconds)['rc-lookahead']).toBe(pictures)
})
