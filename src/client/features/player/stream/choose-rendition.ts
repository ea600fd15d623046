import type { Quality } from '../source/source.ts'

/** Of a connection that was never measured: a middle rendition, which starts fast anywhere. */
const GUESSED_BANDWIDTH = 2_500_000
/** A rendition may take this much of the connection, if it is to be begun with or gone up to. */
const SHARE_TO_BEGIN = 0.8
const SHARE_TO_RISE = 0.7
/** What plays may take this much with an empty buffer, and more the fuller that is. */
const SHARE_TO_STAY = 0.9
const SHARE_BY_FULL_BUFFER = 0.4
const FULL_BUFFER_SECONDS = 20

type Situation = {
  /** Ascending by bit rate. */
  renditions: readonly Quality[]
  quality: number | 'auto'
  /** Bits per second; null when nothing is known. */
  bandwidth: number | null
  /** What is loaded from here on. */
  aheadSeconds: number
  /** The index of what was loaded last; undefined before. */
  current: number | undefined
  /** The short side of the player in device pixels: more would not be seen. 0 when it is not known. */
  playerLines: number
}

/** The index of the rendition to load next. */
export function chooseRendition(situation: Situation): number {
  const { renditions, quality, current, aheadSeconds } = situation
  if (quality !== 'auto') return renditionOf(renditions, quality)
  const bandwidth = situation.bandwidth ?? GUESSED_BANDWIDTH
  const largest = largestUseful(renditions, situation.playerLines)
  const fitting = (share: number) =>
    Math.max(
      0,
      renditions.findLastIndex(
        ({ bitRate }, index) => index <= largest && (bitRate ?? 0) <= bandwidth * share,
      ),
    )
  if (current === undefined) return fitting(SHARE_TO_BEGIN)
  const higher = fitting(SHARE_TO_RISE)
  if (higher >= current || current > largest) return higher
  const fullness = Math.min(aheadSeconds / FULL_BUFFER_SECONDS, 1)
  const share = SHARE_TO_STAY + SHARE_BY_FULL_BUFFER * fullness
  return (renditions[current]?.bitRate ?? 0) <= bandwidth * share ? current : higher
}

/** The rendition with so many lines, or the largest below it. */
export function renditionOf(renditions: readonly Quality[], lines: number): number {
  let found = 0
  for (const [index, one] of renditions.entries()) {
    const before = renditions[found]?.lines ?? 0
    const isBetter = one.lines > before || before > lines
    if (one.lines <= lines && isBetter) found = index
  }
  return found
}

/** The smallest that fills the player, which is the largest worth loading. */
function largestUseful(renditions: readonly Quality[], playerLines: number): number {
  const last = renditions.length - 1
  if (playerLines <= 0) return last
  const filling = renditions.findIndex(({ lines }) => lines >= playerLines)
  return filling < 0 ? last : filling
}
