type TimeSpan = { start: number; end: number }

/** What was given to the browser of one segment; times in seconds. */
export type LoadedPiece = TimeSpan & {
  rendition: number
  /** The browser had nothing to show for it: loading it again would change nothing. */
  isHollow: boolean
}

/** Less than a frame: times that differ by less are the same. */
export const SAME_TIME_SECONDS = 0.01

/** Keeps what was loaded of which rendition. */
export function createLoadedPieces() {
  let pieces: LoadedPiece[] = []

  /** The piece that plays at a time. */
  function at(seconds: number): LoadedPiece | undefined {
    return pieces.find(
      ({ start, end }) => start - SAME_TIME_SECONDS <= seconds && seconds < end - SAME_TIME_SECONDS,
    )
  }

  return {
    at,
    add(piece: LoadedPiece): void {
      const isApart = ({ start, end }: LoadedPiece) =>
        end <= piece.start + SAME_TIME_SECONDS || start >= piece.end - SAME_TIME_SECONDS
      pieces = [...pieces.filter(isApart), piece].sort((a, b) => a.start - b.start)
    },
    /** Forgets what the browser no longer has: it may drop what it likes. */
    keepBuffered(ranges: readonly TimeSpan[]): void {
      pieces = pieces.filter(({ start, end, isHollow }) => {
        const middle = (start + end) / 2
        return isHollow || ranges.some((range) => range.start <= middle && middle <= range.end)
      })
    },
    /** Until when everything is loaded, from a time on, and how much of it there is to play. */
    loadedFrom(seconds: number): { until: number; playableSeconds: number } {
      let [until, playableSeconds] = [seconds, 0]
      for (let piece = at(until); piece; piece = at(until)) {
        if (!piece.isHollow) playableSeconds += piece.end - until
        until = piece.end
      }
      return { until, playableSeconds }
    },
    /** Until when there is nothing to show, from a time on. */
    hollowUntil(seconds: number): number {
      let until = seconds
      for (let piece = at(until); piece?.isHollow; piece = at(until)) until = piece.end
      return until
    },
    /** Where, behind the piece that plays at a time, the first one of another rendition begins. */
    otherRenditionAfter(seconds: number, rendition: number): number | undefined {
      const from = at(seconds)?.end ?? seconds
      return pieces.find(
        (piece) => piece.start >= from - SAME_TIME_SECONDS && piece.rendition !== rendition,
      )?.start
    },
    /** Forgets what begins within a span. */
    drop({ start, end }: TimeSpan): void {
      pieces = pieces.filter((piece) => {
        const begin = piece.start + SAME_TIME_SECONDS
        return begin < start || begin > end
      })
    },
  }
}
