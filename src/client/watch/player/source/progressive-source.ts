import { loads } from './early-video.ts'
import type { Source, SourceInput } from './source.ts'

const START_TOLERANCE_SECONDS = 0.25

/** Starts fastest, without choices. */
export function openProgressiveSource(input: SourceInput): Source {
  const { video, url, startSeconds, listener } = input
  const listeners = new AbortController()
  const reportQuality = () => {
    if (video.videoHeight === 0) return
    const lines = Math.min(video.videoWidth, video.videoHeight)
    const quality = { lines, frameRate: null, bitRate: null }
    listener.onPlaying(quality)
  }
  const load = (seconds: number) => {
    video.src = url
    moveTo(seconds)
  }
  const moveTo = (seconds: number) => {
    if (seconds > START_TOLERANCE_SECONDS) video.currentTime = seconds
  }
  video.addEventListener('loadedmetadata', reportQuality, { signal: listeners.signal })
  if (loads(video, url)) {
    reportQuality()
    moveTo(startSeconds)
  } else load(startSeconds)
  return {
    kind: 'progressive',
    url,
    chooseQuality: () => {},
    chooseSoundTrack: () => {},
    resume() {
      const isPlaying = !video.paused
      load(video.currentTime)
      if (isPlaying) void video.play().catch(() => undefined)
    },
    bandwidth: () => null,
    close: () => listeners.abort(),
  }
}
