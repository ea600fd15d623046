import type { PlayerCore } from './player-core.ts'

/** The element stops slightly before or after the end. */
const END_TOLERANCE_SECONDS = 0.05

/** 0 for the whole file. */
export function originOf({ options }: PlayerCore): number {
  return options.range?.start ?? 0
}

/** From the start of the range. */
export function placeOf(core: PlayerCore, video: HTMLVideoElement): number {
  return Math.max(0, video.currentTime - originOf(core))
}

export function isOver({ options }: PlayerCore, video: HTMLVideoElement): boolean {
  const { range } = options
  if (!range) return video.ended
  return video.ended || (video.paused && video.currentTime >= range.end - END_TOLERANCE_SECONDS)
}

/** Stops or loops at the end of the range. @returns a stop function */
export function keepToRange(
  range: { start: number; end: number } | undefined,
  video: HTMLVideoElement,
): () => void {
  if (!range) return () => {}
  const over = new AbortController()
  const { signal } = over
  let frame = 0
  const checkPosition = () => {
    // At the end of the file the element itself loops to the file's start.
    const isBefore = !video.seeking && video.currentTime < range.start - END_TOLERANCE_SECONDS
    if (video.paused || (!isBefore && video.currentTime < range.end)) return
    if (video.loop) video.currentTime = range.start
    else video.pause()
  }
  const follow = () => {
    checkPosition()
    if (!video.paused) frame = requestAnimationFrame(follow)
  }
  const begin = () => {
    const { currentTime } = video
    const isOutside =
      currentTime < range.start - END_TOLERANCE_SECONDS ||
      currentTime >= range.end - END_TOLERANCE_SECONDS
    if (isOutside) video.currentTime = range.start
    cancelAnimationFrame(frame)
    follow()
  }
  video.addEventListener('play', begin, { signal })
  // Hidden tabs draw no frames.
  video.addEventListener('timeupdate', checkPosition, { signal })
  return () => {
    over.abort()
    cancelAnimationFrame(frame)
  }
}
