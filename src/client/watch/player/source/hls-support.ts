/** Whether renditions play by hls.js here: Safari's own way is better there. */
export function picksStream(): boolean {
  return 'MediaSource' in globalThis && !('WebKitPlaybackTargetAvailabilityEvent' in globalThis)
}

/** Whether a browser that plays HLS itself lets its sound tracks be chosen. */
export function choosesSoundItself(): boolean {
  return 'audioTracks' in HTMLMediaElement.prototype
}

export function playsHlsItself(video: HTMLVideoElement): boolean {
  return video.canPlayType('application/vnd.apple.mpegurl') !== ''
}
