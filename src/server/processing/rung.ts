import type { Picture, Size } from './picture.ts'

/** One step of the ladder. */
export type Rung = Size & {
  /** What people call it, such as 1080: the short side of the picture. */
  name: number
}

/**
 * The ladder of a picture, largest first: the wanted heights that are not above its own, or one step of
 * its own size when all are. Upright pictures count by their width.
 */
export function planRungs(picture: Size, heights: readonly number[]): Rung[] {
  const short = Math.min(picture.width, picture.height)
  const fitting = [...new Set(heights)].filter((height) => height <= short).sort((a, b) => b - a)
  return (fitting.length > 0 ? fitting : [short]).map((height) => makeRung(picture, height))
}

/** The picture at this short side, never larger than it is, with even sides. */
export function makeRung(picture: Size, shortSide: number): Rung {
  const scale = shortSide / Math.min(picture.width, picture.height)
  const even = (length: number) =>
    Math.max(2, 2 * (scale < 1 ? Math.round((length * scale) / 2) : Math.floor(length / 2)))
  const size = { width: even(picture.width), height: even(picture.height) }
  return { ...size, name: Math.min(size.width, size.height) }
}

/** The file in which the media playlist of a step lies. */
export const renditionPlaylistName = (name: Rung['name']) => `${name}p.m3u8`

export function isSameSize(one: Pick<Picture, 'width' | 'height'>, other: Size): boolean {
  return one.width === other.width && one.height === other.height
}

/** Bits per second that 1080p at up to 30 frames a second may take at most. */
const maxBitRate1080 = 6_000_000

/** The encoder takes a smaller limit for none. */
const leastBitRate = 1000

/** What an encoder may take beforehand, in seconds of the limit: the buffer that it is given is nearly full. */
const headStartSeconds = 2

type SourceRates = {
  frameRate: number
  /** Of the picture, bits per second on average; 0 when that is not known. */
  bitRate: number
  durationSeconds: number
}

/**
 * How many bits per second a picture may take at most: by its size and rate, and so that the whole is never
 * larger than the picture that it is made from.
 */
export function limitBitRate(size: Size, source: SourceRates): number {
  const share = (size.width * size.height) / (1920 * 1080)
  const byRate = source.frameRate > 35 ? 1.5 : 1
  const bySize = maxBitRate1080 * share ** 0.8 * byRate
  const { bitRate, durationSeconds } = source
  const bySource = bitRate * (durationSeconds / (durationSeconds + headStartSeconds))
  return Math.round(Math.max(bitRate > 0 ? Math.min(bySize, bySource) : bySize, leastBitRate))
}

/** Constant quality: small pictures are shown enlarged, and forgive a little. */
export function chooseQuality({ name }: Rung): number {
  return name > 720 ? 22 : 23
}
