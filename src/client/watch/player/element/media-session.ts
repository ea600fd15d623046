import type { PlayerOptions, PlayerState } from '../core/player-state.ts'

const SKIP_SECONDS = 10

export type MediaKeyTarget = {
  options: Pick<PlayerOptions, 'title' | 'channelName' | 'posterUrl'>
  get: () => Pick<PlayerState, 'duration' | 'time'>
  play: () => void
  pause: () => void
  skip: (seconds: number) => void
  seek: (seconds: number) => void
  playNext: () => void
  playPrevious: () => void
}

/** For lock screens and media keys. @returns a stop function */
export function connectMediaSession(player: MediaKeyTarget, video: HTMLVideoElement): () => void {
  const { mediaSession } = navigator
  if (!mediaSession) return () => {}
  const { title, channelName, posterUrl } = player.options
  const over = new AbortController()
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', player.play],
    ['pause', player.pause],
    ['stop', player.pause],
    ['seekbackward', ({ seekOffset }) => player.skip(-(seekOffset ?? SKIP_SECONDS))],
    ['seekforward', ({ seekOffset }) => player.skip(seekOffset ?? SKIP_SECONDS)],
    ['seekto', ({ seekTime }) => player.seek(seekTime ?? 0)],
    ['nexttrack', player.playNext],
    ['previoustrack', player.playPrevious],
  ]
  const setAction = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
    try {
      mediaSession.setActionHandler(action, handler)
    } catch {
      // Unsupported action.
    }
  }
  const begin = () => {
    mediaSession.metadata = new MediaMetadata({
      title,
      artist: channelName,
      artwork: posterUrl ? [{ src: new URL(posterUrl, location.origin).href }] : [],
    })
    for (const [action, handler] of handlers) setAction(action, handler)
  }
  const reportPosition = () => {
    mediaSession.playbackState = video.paused ? 'paused' : 'playing'
    const { duration, time } = player.get()
    if (duration <= 0) return
    const position = Math.min(time, duration)
    // It is 0 while the picture waits for a mix.
    const playbackRate = video.playbackRate || 1
    mediaSession.setPositionState?.({ duration, playbackRate, position })
  }
  video.addEventListener('play', begin, { signal: over.signal })
  for (const type of ['play', 'pause', 'seeked', 'ratechange', 'durationchange']) {
    video.addEventListener(type, reportPosition, { signal: over.signal })
  }
  if (!video.paused) {
    begin()
    reportPosition()
  }
  return () => {
    over.abort()
    mediaSession.metadata = null
    mediaSession.playbackState = 'none'
    for (const [action] of handlers) setAction(action, null)
  }
}
