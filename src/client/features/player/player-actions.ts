const SEEK_STEP_SECONDS = 5
const VOLUME_STEP = 0.1

/** Safari on iPhones shows only the video itself in full screen, and in its own way. */
type AppleVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

export function togglePlay(video: HTMLVideoElement): void {
  if (!video.paused) video.pause()
  // A refusal (a policy, a source that fails) shows by itself: the video stays paused.
  else void video.play().catch(() => undefined)
}

export function seekTo(video: HTMLVideoElement, seconds: number): void {
  const end = Number.isFinite(video.duration) ? video.duration : seconds
  video.currentTime = Math.min(Math.max(0, seconds), end)
}

export function setVolume(video: HTMLVideoElement, volume: number): void {
  video.volume = Math.min(Math.max(0, volume), 1)
  video.muted = video.volume === 0
}

export function toggleMute(video: HTMLVideoElement): void {
  if (video.muted && video.volume === 0) video.volume = 0.5
  video.muted = !video.muted
}

/** @param root the player with its controls */
export function toggleFullScreen(root: HTMLElement, video: AppleVideo): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else if (root.requestFullscreen) void root.requestFullscreen().catch(() => undefined)
  else video.webkitEnterFullscreen?.()
}

/**
 * What a key does to the player.
 * @returns undefined when it does nothing
 */
export function actionOfKey(
  key: string,
  player: { root: HTMLElement; video: HTMLVideoElement },
): (() => void) | undefined {
  const { root, video } = player
  switch (key.toLowerCase()) {
    case ' ':
    case 'k':
      return () => togglePlay(video)
    case 'arrowleft':
      return () => seekTo(video, video.currentTime - SEEK_STEP_SECONDS)
    case 'arrowright':
      return () => seekTo(video, video.currentTime + SEEK_STEP_SECONDS)
    case 'arrowup':
      return () => setVolume(video, video.volume + VOLUME_STEP)
    case 'arrowdown':
      return () => setVolume(video, video.volume - VOLUME_STEP)
    case 'm':
      return () => toggleMute(video)
    case 'f':
      return () => toggleFullScreen(root, video)
  }
}
