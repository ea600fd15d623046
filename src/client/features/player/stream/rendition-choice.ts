import type { Variant } from '../source/master-playlist.ts'
import { chooseRendition } from './choose-rendition.ts'
import type { LoadProgress } from './load-bytes.ts'
import { playerLinesOf } from './player-lines.ts'
import type { SegmentOf } from './segment-fetch.ts'
import { createThroughput } from './throughput.ts'

type RenditionChoiceInput = {
  video: HTMLVideoElement
  /** Ascending by bit rate. */
  renditions: readonly Variant[]
  quality: number | 'auto'
  /** Bits per second, as known from before. */
  bandwidth: number | null
}

export type RenditionChoice = ReturnType<typeof createRenditionChoice>

/** Chooses the rendition to load next, by what was asked for and what the connection carries. */
export function createRenditionChoice(input: RenditionChoiceInput) {
  const { video, renditions } = input
  const throughput = createThroughput(input.bandwidth)
  let { quality } = input
  /** What was loaded last. */
  let current: number | undefined

  /** The index of the rendition to load next, with so many seconds to play. */
  function choose(aheadSeconds: number): number {
    return chooseRendition({
      ...{ renditions, quality, current, aheadSeconds },
      bandwidth: throughput.estimate(),
      playerLines: playerLinesOf(video),
    })
  }

  return {
    choose,
    isFixed: () => quality !== 'auto',
    setQuality(next: number | 'auto'): void {
      quality = next
    },
    noteLoaded(rendition: number): void {
      current = rendition
    },
    noteSpeed: ({ bytes, ms }: LoadProgress) => throughput.add(bytes, ms),
    /** Whether a smaller rendition would be there before this one, for which playing would have to wait. */
    comesTooLate(of: SegmentOf, { bytes, ms }: LoadProgress, aheadSeconds: number): boolean {
      if (quality !== 'auto') return false
      const restSeconds = ((of.segment.length - bytes) * ms) / Math.max(bytes, 1) / 1000
      if (restSeconds <= aheadSeconds + 1) return false
      throughput.add(bytes, ms)
      return choose(0) < of.rendition
    },
    /** Bits per second, where something was loaded. */
    bandwidth: throughput.measured,
  }
}
