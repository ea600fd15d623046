import { isOver, originOf, placeOf } from '../core/play-range.ts'
import type { PlayerCore } from '../core/player-core.ts'
import type { TimeRange } from '../core/player-state.ts'
import { isStuck } from '../source/stuck.ts'

/** Shorter waits show no spinner. */
const WAITING_MS = 250

/** @returns a stop function */
export function mirrorMedia(core: PlayerCore, video: HTMLVideoElement): () => void {
  const { store, options } = core
  const over = new AbortController()
  let waitTimer: ReturnType<typeof setTimeout> | undefined

  const on = (types: string, act: () => void) => {
    for (const type of types.split(' ')) video.addEventListener(type, act, { signal: over.signal })
  }
  const beginWaiting = () => {
    clearTimeout(waitTimer)
    waitTimer = setTimeout(() => {
      if (isStuck(video) && !store.get().hasFailed) store.set({ isWaiting: true })
    }, WAITING_MS)
  }
  const endWaiting = () => {
    if (video.error) return
    clearTimeout(waitTimer)
    store.set({ isWaiting: false })
  }
  const readDuration = () => {
    if (!Number.isFinite(video.duration)) return
    // The element knows the end of what has arrived.
    if (options.isArriving && options.durationSeconds > 0) return
    const end = Math.min(options.range?.end ?? video.duration, video.duration)
    store.set({ duration: end - originOf(core) })
  }
  on('play', () =>
    store.set({
      isPaused: false,
      isStarting: false,
      hasStarted: true,
      hasEnded: false,
      isNextCancelled: false,
    }),
  )
  on('pause', () => store.set({ isPaused: true, hasEnded: isOver(core, video) }))
  on('ended', () => store.set({ isPaused: true, hasEnded: true, time: placeOf(core, video) }))
  on('playing canplay seeked', endWaiting)
  on('loadeddata', () => video.paused && endWaiting())
  on('waiting seeking loadstart', () => {
    if (!video.paused || video.autoplay || video.seeking) beginWaiting()
  })
  on('timeupdate seeking', () =>
    store.set({ time: placeOf(core, video), hasEnded: isOver(core, video) }),
  )
  on('durationchange loadedmetadata', readDuration)
  const readBuffered = () =>
    store.set({ buffered: rangesOf(video, originOf(core), store.get().buffered) })
  on('progress timeupdate seeked', readBuffered)
  on('ratechange', () => {
    // A watch room and a mixer correct the speed, which they have set themselves.
    const isCorrected = core.steer || core.mixer?.isHeard()
    if (!store.get().isHurrying && !isCorrected) store.set({ rate: video.playbackRate })
  })
  on('enterpictureinpicture', () => store.set({ isPictureInPicture: true }))
  on('leavepictureinpicture', () => store.set({ isPictureInPicture: false }))
  const readFullScreen = () =>
    store.set({ isFullScreen: document.fullscreenElement?.contains(video) === true })
  document.addEventListener('fullscreenchange', readFullScreen, { signal: over.signal })
  readFullScreen()
  // It may already be loading.
  readDuration()
  readBuffered()
  return () => {
    clearTimeout(waitTimer)
    over.abort()
  }
}

/** Keeps the object while ranges are equal. */
function rangesOf({ buffered }: HTMLVideoElement, origin: number, before: readonly TimeRange[]) {
  const ranges = Array.from({ length: buffered.length }, (_, index) => ({
    start: buffered.start(index) - origin,
    end: buffered.end(index) - origin,
  }))
  const isSame =
    ranges.length === before.length &&
    ranges.every(({ start, end }, i) => start === before[i]?.start && end === before[i]?.end)
  return isSame ? before : ranges
}
