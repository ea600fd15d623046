import type { Quality } from './source.ts'

type Rendition = { name: number; frameRate: number; bandwidth: number }

/** Largest first. */
export function toQualities(renditions: readonly Rendition[]): Quality[] {
  return renditions
    .map(({ name, frameRate, bandwidth }) => ({ lines: name, frameRate, bitRate: bandwidth }))
    .sort((a, b) => b.lines - a.lines)
}

/** Short side in pixels. */
export function linesOf(size: { width: number | null; height: number | null }): number | null {
  return size.width && size.height ? Math.min(size.width, size.height) : null
}
