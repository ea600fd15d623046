import type { Picture, Size } from './picture.ts'

/** One step of the ladder. */
export type Rung = Size & {
  /** What people call it, such as 1080: the short side of the picture. */
  name: number
}

/**
 * The ladder of a picture, largest first: its own height, or the largest wanted one where that is above it, and the wanted
 * heights below. Upright pictures count by their width.
 */
export function planRungs(picture: Size, heights: readonly number[]): Rung[] {
  const own = Math.min(picture.width, picture.height, Math.max(...heights))
  const steps = [own, ...heights.filter((height) => height < own)].map((height) =>
    makeRung(picture, height),
  )
  const names = new Set(steps.map(({ name }) => name))
  return [...names]
    .sort((a, b) => b - a)
    .flatMap((name) => steps.find((one) => one.name === name) ?? [])
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

/** The part of that which every picture may take: what it takes to stay watchable (DECISIONS.md). */
const leastShare = 0.25

/** How many times its bits H.264 needs for the same picture; as many as those of older codecs. */
const bitsByCodec = new Map([
  ['hevc', 2],
  ['vp9', 2],
  ['av1', 2.5],
])

/** What an encoder may take beforehand, in seconds of the limit: the buffer that it is given is nearly full. */
const headStartSeconds = 2

type SourceRates = {
  frameRate: number
  /** FFmpeg's name. */
  codec: string
  /** Of the picture, bits per second on average; 0 when that is not known. */
  bitRate: number
  durationSeconds: number
}

/**
 * How many bits per second a picture may take at most: by its size and rate, and no more than the picture that it is made
 * from is worth in H.264, but never less than what makes it watchable.
 */
export function limitBitRate(size: Size, source: SourceRates): number {
  const share = (size.width * size.height) / (1920 * 1080)
  const byRate = source.frameRate > 35 ? 1.5 : 1
  const most = maxBitRate1080 * share ** 0.8 * byRate
  const { codec, bitRate, durationSeconds } = source
  const headStart = durationSeconds / (durationSeconds + headStartSeconds)
  const worth = bitRate * (bitsByCodec.get(codec) ?? 1) * headStart
  const isKnown = bitRate > 0
  return Math.round(isKnown ? Math.min(most, Math.max(worth, most * leastShare)) : most)
}

/** Constant quality: small pictures are shown enlarged, and forgive a little. */
export function chooseQuality({ name }: Rung): number {
  return name > 720 ? 22 : 23
}
