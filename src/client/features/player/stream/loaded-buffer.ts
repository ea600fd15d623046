import { createLoadedPieces } from './loaded-pieces.ts'
import type { MediaBuffer } from './media-buffer.ts'
import type { Segment } from './media-playlist.ts'
import type { FetchedSegment } from './segment-fetch.ts'

const KEPT_BEHIND_SECONDS = 60
/** When there is no room left. */
const KEPT_IN_NEED_SECONDS = 5
/** A gap larger than this is no slip of a recording. */
const LARGEST_GAP_SECONDS = 2
/** A switch of quality leaves so much of what plays, so that it need not wait. */
const SWITCH_SECONDS = 1

export type LoadedBuffer = ReturnType<typeof createLoadedBuffer>

/** What of a video is with the browser, by segments and renditions. Times are seconds. */
export function createLoadedBuffer(video: HTMLVideoElement, opening: Promise<MediaBuffer>) {
  const pieces = createLoadedPieces()
  /** Where segments began that had nothing to show. */
  const doubted = new Set<number>()
  /** What is shown is being loaded anew, and shows once it is drawn again. */
  let isRedrawn = false
  let buffer: MediaBuffer | undefined
  opening.then(
    (opened) => {
      buffer = opened
    },
    () => undefined,
  )
  const ranges = () => buffer?.ranges() ?? []
  const isBuffered = (seconds: number) =>
    ranges().some(({ start, end }) => start <= seconds && seconds <= end)

  async function remove(start: number, end: number): Promise<void> {
    if (!(end > start)) return
    pieces.drop({ start, end })
    await buffer?.remove(start, end)
  }

  /** Drops what lies more than so much behind, up to a segment's beginning. */
  async function trim(keptSeconds: number): Promise<boolean> {
    const oldest = video.currentTime - keptSeconds
    const end = pieces.at(oldest)?.start ?? oldest
    const start = ranges()[0]?.start ?? Number.POSITIVE_INFINITY
    if (start >= end) return false
    await remove(0, end)
    return true
  }

  /** Drops what was left by going to and fro, and most of what was seen. */
  async function makeRoom(segment: Segment): Promise<boolean> {
    const { until } = pieces.loadedFrom(video.currentTime)
    const end = ranges().at(-1)?.end ?? 0
    const isApart = end > Math.max(until, segment.endSeconds)
    if (isApart) await remove(Math.max(until, segment.endSeconds), Number.POSITIVE_INFINITY)
    return (await trim(KEPT_IN_NEED_SECONDS)) || isApart
  }

  /** Shows what was loaded over the picture that stands: a browser would keep that until it plays. */
  function redraw(): void {
    isRedrawn = false
    const { currentTime, paused } = video
    if (paused) video.currentTime = currentTime
  }

  return {
    /** The rendition that plays now, by its index. */
    playing: () => pieces.at(video.currentTime)?.rendition,

    /** Until when everything is there, from the current time on, and how much of it there is to play. */
    loadedFromHere() {
      pieces.keepBuffered(ranges())
      return pieces.loadedFrom(video.currentTime)
    },

    /** Whether its segment was given to the browser, and had nothing to show or is still there. */
    isLoaded: (seconds: number) => pieces.at(seconds) !== undefined,

    has: (seconds: number) => pieces.at(seconds) !== undefined && isBuffered(seconds),

    /**
     * Gives a segment to the browser.
     * @returns `full` when there is no room for it, `empty` when there was nothing to show in it, once
     * @throws BufferError
     */
    async append({ segment, rendition, parts }: FetchedSegment): Promise<'in' | 'full' | 'empty'> {
      const opened = await opening
      const give = async () => {
        for (const part of parts) await opened.append(part)
      }
      try {
        await give()
      } catch (error) {
        if (!isFull(error)) throw error
        if (!(await makeRoom(segment))) return 'full'
        try {
          await give()
        } catch (again) {
          if (isFull(again)) return 'full'
          throw again
        }
      }
      const { startSeconds: start, endSeconds: end } = segment
      const isHollow = !isBuffered((start + end) / 2)
      if (isHollow) {
        await opened.reset()
        if (!doubted.has(start)) {
          doubted.add(start)
          return 'empty'
        }
      }
      pieces.add({ start, end, rendition, isHollow })
      if (isRedrawn && pieces.at(video.currentTime)?.start === start) redraw()
      await trim(KEPT_BEHIND_SECONDS)
      return 'in'
    },

    /** Drops what comes of other renditions, but for what plays now; a still picture is loaded over. */
    async dropOthers(rendition: number): Promise<void> {
      const { currentTime, paused } = video
      const shown = pieces.at(currentTime)
      const start = pieces.otherRenditionAfter(
        currentTime + (paused ? 0 : SWITCH_SECONDS),
        rendition,
      )
      if (start !== undefined) await remove(start, Number.POSITIVE_INFINITY)
      isRedrawn = paused && shown !== undefined && shown.rendition !== rendition
      if (isRedrawn && shown) pieces.drop(shown)
    },

    /** Drops what was seen of other renditions, once this one plays. */
    async dropOthersBehind(rendition: number): Promise<void> {
      const shown = pieces.at(video.currentTime)
      if (shown?.rendition !== rendition || shown.isHollow) return
      const other = pieces.otherRenditionAfter(0, rendition)
      if (other !== undefined && other < shown.start) await remove(0, shown.start)
    },

    /**
     * Goes on behind a gap in a recording, at which a browser would wait for ever.
     * @returns false when it is larger than that, and something is wrong
     */
    skipGap(): boolean {
      const { currentTime, readyState } = video
      if (readyState >= HTMLMediaElement.HAVE_FUTURE_DATA || isBuffered(currentTime)) return true
      if (pieces.hollowUntil(currentTime) - currentTime > LARGEST_GAP_SECONDS) return false
      const next = ranges().find(({ start }) => start > currentTime)?.start
      const isGap =
        next !== undefined &&
        next - currentTime <= LARGEST_GAP_SECONDS &&
        pieces.loadedFrom(currentTime).until >= next
      if (isGap) video.currentTime = next + 0.001
      return true
    },

    setDuration: async (seconds: number) => (await opening).setDuration(seconds),
    end: async () => (await opening).end(),
  }
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}
