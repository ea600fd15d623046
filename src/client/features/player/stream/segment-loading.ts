import type { Variant } from '../source/master-playlist.ts'
import type { LoadedBuffer } from './loaded-buffer.ts'
import { SAME_TIME_SECONDS } from './loaded-pieces.ts'
import { segmentAt } from './media-playlist.ts'
import type { RenditionChoice } from './rendition-choice.ts'
import { createRenditionFile } from './rendition-file.ts'
import { createSegmentFetch, type FetchedSegment, type SegmentOf } from './segment-fetch.ts'

/** Before the first play only this much is fetched; from then on half a minute ahead. */
const WAITING_BUFFER_SECONDS = 6
const PLAYING_BUFFER_SECONDS = 30
/** Never less, however little room the browser has. */
const SMALLEST_BUFFER_SECONDS = 4

type SegmentLoadingInput = {
  video: HTMLVideoElement
  renditions: readonly Variant[]
  choice: RenditionChoice
  /** What is loaded for; another one after trouble. */
  buffer: () => LoadedBuffer
  signal: AbortSignal
}

/** Loads the segments that will be seen next into a buffer. */
export function createSegmentLoading(input: SegmentLoadingInput) {
  const { video, choice, buffer, signal } = input
  const files = input.renditions.map(createRenditionFile)
  const fetches = createSegmentFetch({
    signal,
    onLoaded: choice.noteSpeed,
    isTooSlow: (of, progress) =>
      choice.comesTooLate(of, progress, buffer().loadedFromHere().playableSeconds),
  })
  let isSwitching = false
  /** Whose init segment the buffer has. */
  let initialised: number | undefined
  /** What the browser had no room for. */
  let held: FetchedSegment | undefined
  let limitSeconds = PLAYING_BUFFER_SECONDS
  let hasPlayed = !video.paused || video.autoplay

  /** Loads one segment. @returns whether there is more to do at once */
  async function step(): Promise<boolean> {
    const target = buffer()
    const { until, playableSeconds: aheadSeconds } = target.loadedFromHere()
    const rendition = choice.choose(aheadSeconds)
    if (isSwitching) {
      isSwitching = false
      await target.dropOthers(rendition)
      return true
    }
    if (choice.isFixed()) await target.dropOthersBehind(rendition)
    const playlist = await fileOf(rendition).playlist(signal)
    // Whoever goes to the very end is behind the last segment before it is there.
    const lastSeconds = playlist.durationSeconds - 1.5 * SAME_TIME_SECONDS
    if (until > lastSeconds && target.isLoaded(lastSeconds)) {
      await target.end()
      return false
    }
    const wantedSeconds = hasPlayed ? limitSeconds : WAITING_BUFFER_SECONDS
    if (aheadSeconds >= wantedSeconds) return false
    const segment = segmentAt(playlist, Math.min(until, lastSeconds) + SAME_TIME_SECONDS)
    const fetched = await fetchSegment({ rendition, segment })
    if (!fetched || target !== buffer()) return true
    await target.setDuration(playlist.durationSeconds)
    return fill(target, { fetched, aheadSeconds })
  }

  /** Gives a segment to the buffer. @returns whether there is more to do at once */
  async function fill(
    target: LoadedBuffer,
    { fetched, aheadSeconds }: { fetched: FetchedSegment; aheadSeconds: number },
  ): Promise<boolean> {
    const outcome = await target.append(fetched)
    if (target !== buffer()) return true
    held = outcome === 'full' ? fetched : undefined
    // Its init segment may have found room, or the buffer none of the rest.
    initialised = outcome === 'in' ? fetched.rendition : undefined
    if (outcome === 'in') choice.noteLoaded(fetched.rendition)
    if (outcome === 'full') {
      limitSeconds = Math.max(SMALLEST_BUFFER_SECONDS, Math.min(limitSeconds, aheadSeconds) * 0.75)
    }
    return outcome !== 'full'
  }

  function fileOf(rendition: number) {
    const file = files[rendition]
    if (!file) throw new Error('There is no such rendition.')
    return file
  }

  async function fetchSegment(of: SegmentOf): Promise<FetchedSegment | undefined> {
    const { rendition, segment } = of
    if (held?.rendition === rendition && held.segment === segment) return held
    return fetches.fetch(of, { file: fileOf(rendition), withInit: initialised !== rendition })
  }

  return {
    step,
    /** From now on the buffer is filled as for playing. */
    notePlay(): void {
      hasPlayed = true
    },
    /** The browser wants to show another place: what is on its way may be for nothing. */
    noteSeek(): void {
      const { currentTime: time } = video
      const { startSeconds = 0, endSeconds = 0 } = fetches.current()?.segment ?? {}
      const isComing = startSeconds <= time && time < endSeconds
      if (!isComing && !buffer().has(time)) fetches.giveUp()
    },
    /** Goes over to what is to be chosen now. */
    switchRendition(): void {
      isSwitching = true
      if (fetches.current()?.rendition !== choice.choose(0)) fetches.giveUp()
    },
    /** The buffer is another one, which has nothing yet. */
    forgetBuffer(): void {
      initialised = undefined
      held = undefined
    },
    giveUpWhenDead: fetches.giveUpWhenDead,
  }
}
