import type { Picture, Size } from '../source/picture.ts'

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

/** Constant quality: small pictures are shown enlarged, and forgive a little. */
export function chooseQuality({ name }: Rung): number {
  return name > 720 ? 22 : 23
}
