import { longSeconds } from '../media-limits.ts'
import type { Size } from '../source/picture.ts'

/** From here on each picture that a codec holds back takes 15 to 40 MB. */
const largePixels = 2560 * 1440

export function isLarge({ width, height }: Size): boolean {
  return width * height >= largePixels
}

/** Fewer pictures held back, for a little of the quality that their looking ahead would bring. */
const fewer = { 'rc-lookahead': '4', bf: '1', thread_type: 'slice' }

/** None, for more of it. */
const none = { 'rc-lookahead': '0', bf: '0', thread_type: 'slice' }

/**
 * Options of x264 by which it holds back as many pictures as there is room for: with a long recording there is an index to hold
 * besides, and a decoder of large pictures. See docs/decisions/0057-long-recordings.md.
 * @param sizes of the encoded picture and of the one that it is made from
 */
export function limitHeldPictures(
  sizes: { encoded: Size; source: Size },
  durationSeconds: number,
): Record<string, string> {
  const isLong = durationSeconds >= longSeconds
  if (isLong && isLarge(sizes.source)) return none
  return isLong || isLarge(sizes.encoded) ? fewer : {}
}
