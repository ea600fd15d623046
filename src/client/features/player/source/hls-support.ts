/** Whether renditions play by our own loader here: Safari's own way is better there. */
export function picksStream(): boolean {
  return 'MediaSource' in globalThis && !('WebKitPlaybackTargetAvailabilityEvent' in globalThis)
}

export function playsHlsItself(video: HTMLVideoElement): boolean {
  return video.canPlayType('application/vnd.apple.mpegurl') !== ''
}
