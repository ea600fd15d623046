import { longSeconds } from '../media-limits.ts'
import type { Size } from '../source/picture.ts'

/** Above this each delayed picture takes 15 to 40 MB. */
const largePixels = 2560 * 1440

function isLarge({ width, height }: Size): boolean {
  return width * height >= largePixels
}

/** Delays fewer pictures, at a little quality. */
const fewer = { 'rc-lookahead': '4', bf: '1', thread_type: 'slice' }

/** Delays no pictures, at more quality. */
const none = { 'rc-lookahead': '0', bf: '0', thread_type: 'slice' }

/**
 * Limits how many pictures x264 delays: the index of a long recording and a decoder of large
 * pictures need memory too. See docs/decisions/0057-long-recordings.md.
 * @param sizes of the encoded picture and its source
 */
export function limitHeldPictures(
  sizes: { encoded: Size; source: Size },
  durationSeconds: number,
): Record<string, string> {
  const isLong = durationSeconds >= longSeconds
  if (isLong && isLarge(sizes.source)) return none
  return isLong || isLarge(sizes.encoded) ? fewer : {}
}
