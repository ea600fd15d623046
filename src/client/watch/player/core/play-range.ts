import type { PlayerCore } from './player-core.ts'

/** So near its end a range is over: the element stops a little before or after it. */
const END_TOLERANCE_SECONDS = 0.05

/** Where the range begins that is played; 0 for the whole file. */
export function originOf({ options }: PlayerCore): number {
  return options.range?.start ?? 0
}

/** Where the player is, counted from the beginning of what it plays. */
export function placeOf(core: PlayerCore, video: HTMLVideoElement): number {
  return Math.max(0, video.currentTime - originOf(core))
}

/** Whether what is played is over. */
export function isOver({ options }: PlayerCore, video: HTMLVideoElement): boolean {
  const { range } = options
  if (!range) return video.ended
  return video.ended || (video.paused && video.currentTime >= range.end - END_TOLERANCE_SECONDS)
}

/** Lets the element play no further than the range: there it stops, or begins again. @returns ends that */
export function keepToRange(core: PlayerCore, video: HTMLVideoElement): () => void {
  const { range } = core.options
  if (!range) return () => {}
  const over = new AbortController()
  const { signal } = over
  let frame = 0
  const look = () => {
    if (video.paused || video.currentTime < range.end) return
    if (video.loop) video.currentTime = range.start
    else video.pause()
  }
  const follow = () => {
    look()
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
  // Frames are not drawn in a tab that nobody sees.
  video.addEventListener('timeupdate', look, { signal })
  return () => {
    over.abort()
    cancelAnimationFrame(frame)
  }
}
