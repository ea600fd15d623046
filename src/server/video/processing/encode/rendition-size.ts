import type { Picture, Size } from '../source/picture.ts'

export type RenditionSize = Size & {
  /** The short side, such as 1080. */
  name: number
}

/** Largest first; begins with the picture's own short side, within `heights`. */
export function planRenditionSizes(picture: Size, heights: readonly number[]): RenditionSize[] {
  const own = Math.min(picture.width, picture.height, Math.max(...heights))
  const steps = [own, ...heights.filter((height) => height < own)].map((height) =>
    fitShortSide(picture, height),
  )
  const names = new Set(steps.map(({ name }) => name))
  return [...names]
    .sort((a, b) => b - a)
    .flatMap((name) => steps.find((one) => one.name === name) ?? [])
}

/** Never enlarges; even sides. */
export function fitShortSide(picture: Size, shortSide: number): RenditionSize {
  const scale = shortSide / Math.min(picture.width, picture.height)
  const even = (length: number) =>
    Math.max(2, 2 * (scale < 1 ? Math.round((length * scale) / 2) : Math.floor(length / 2)))
  const size = { width: even(picture.width), height: even(picture.height) }
  return { ...size, name: Math.min(size.width, size.height) }
}

export const renditionPlaylistName = (name: RenditionSize['name']) => `${name}p.m3u8`

export function isSameSize(one: Pick<Picture, 'width' | 'height'>, other: Size): boolean {
  return one.width === other.width && one.height === other.height
}

export function chooseQuality({ name }: RenditionSize): number {
  return name > 720 ? 22 : 23
}
