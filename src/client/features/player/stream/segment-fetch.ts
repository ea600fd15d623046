import type { LoadProgress } from './load-bytes.ts'
import type { Segment } from './media-playlist.ts'
import type { RenditionFile } from './rendition-file.ts'

/** After so long a load shows whether it comes in time. */
const JUDGED_AFTER_MS = 1000
/** Without any byte for so long a load is taken for dead, once somebody asks. */
const DEAD_AFTER_MS = 2000

/** A segment of a rendition, by the rendition's index. */
export type SegmentOf = { rendition: number; segment: Segment }

export type FetchedSegment = SegmentOf & { parts: readonly Uint8Array<ArrayBuffer>[] }

type Load = SegmentOf & { stop: AbortController; movedAt: number }

type FetchOptions = {
  signal: AbortSignal
  /** Learns how fast a load was. */
  onLoaded: (progress: LoadProgress) => void
  /** Asked once of a load that takes long: whether to give it up. */
  isTooSlow: (of: SegmentOf, progress: LoadProgress) => boolean
}

/** Fetches segments one at a time, which can be given up. */
export function createSegmentFetch({ signal, onLoaded, isTooSlow }: FetchOptions) {
  let load: Load | undefined

  /** @returns called with each progress of `own` */
  function watch(own: Load): (progress: LoadProgress) => void {
    let isJudged = false
    return (progress) => {
      own.movedAt = performance.now()
      if (isJudged || progress.ms < JUDGED_AFTER_MS) return
      isJudged = true
      if (isTooSlow(own, progress)) own.stop.abort()
    }
  }

  return {
    /** What is being loaded. */
    current: (): SegmentOf | undefined => load,

    /**
     * The bytes of a segment; undefined when they were given up, as others are wanted by now.
     * Fails as `loadBytes` does.
     */
    async fetch(
      of: SegmentOf,
      { file, withInit }: { file: RenditionFile; withInit: boolean },
    ): Promise<FetchedSegment | undefined> {
      const stop = new AbortController()
      const own: Load = { ...of, stop, movedAt: performance.now() }
      const note = watch(own)
      let last: LoadProgress = { bytes: 0, ms: 0 }
      load = own
      try {
        const parts = await file.load(of.segment, {
          withInit,
          signal: AbortSignal.any([signal, stop.signal]),
          onProgress(progress) {
            last = progress
            note(progress)
          },
        })
        onLoaded(last)
        return { ...of, parts }
      } catch (error) {
        if (stop.signal.aborted && !signal.aborted) return undefined
        throw error
      } finally {
        load = undefined
      }
    },

    giveUp: () => load?.stop.abort(),

    giveUpWhenDead(): void {
      if (load && performance.now() - load.movedAt > DEAD_AFTER_MS) load.stop.abort()
    },
  }
}
