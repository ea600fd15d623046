/** False in Safari, whose own HLS is better. */
export function picksStream(): boolean {
  return 'MediaSource' in globalThis && !('WebKitPlaybackTargetAvailabilityEvent' in globalThis)
}

/** For native HLS. */
export function choosesSoundItself(): boolean {
  return 'audioTracks' in HTMLMediaElement.prototype
}

export function playsHlsItself(video: HTMLVideoElement): boolean {
  return video.canPlayType('application/vnd.apple.mpegurl') !== ''
}
