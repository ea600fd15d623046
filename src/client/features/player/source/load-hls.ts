/** hls.js, its light build: our renditions carry their sound. Loaded here and nowhere else. */
export const loadHls = () => import('hls.js/light')

/** Whether this browser needs the library at all: Safari's own way is better there. */
export function picksHlsLibrary(): boolean {
  const isSafari = 'WebKitPlaybackTargetAvailabilityEvent' in globalThis
  const hasSources = 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis
  return hasSources && !isSafari
}

export function playsHlsItself(video: HTMLVideoElement): boolean {
  return video.canPlayType('application/vnd.apple.mpegurl') !== ''
}
