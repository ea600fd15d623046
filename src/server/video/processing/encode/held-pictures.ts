import { longSeconds } from '../media-limits.ts'
import type { Size } from '../source/picture.ts'

/** Above this each picture that a codec delays takes 15 to 40 MB. */
const largePixels = 2560 * 1440

function isLarge({ width, height }: Size): boolean {
  return width * height >= largePixels
}

/** Delays fewer pictures, which costs a little quality. */
const fewer = { 'rc-lookahead': '4', bf: '1', thread_type: 'slice' }

/** Delays no pictures, which costs more quality. */
const none = { 'rc-lookahead': '0', bf: '0', thread_type: 'slice' }

/**
 * Limits how many pictures x264 delays: a long recording's index and a decoder of large pictures
 * need memory too. See docs/decisions/0057-long-recordings.md.
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
