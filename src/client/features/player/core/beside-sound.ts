/** An ear notices more than this. */
const MAX_DRIFT_SECONDS = 0.08

export type BesideSound = { audio: HTMLAudioElement; close: () => void }

/**
 * Plays a file of sound in step with a video, which is to be muted meanwhile.
 * @param onFailed when the file cannot be played, or no longer
 */
export function playBeside(
  video: HTMLVideoElement,
  url: string,
  onFailed: () => void,
): BesideSound {
  const audio = new Audio(url)
  const over = new AbortController()
  audio.preload = 'auto'
  const keepStep = () => {
    audio.playbackRate = video.playbackRate
    // Another jump would begin the one under way anew, again and again where it takes long.
    if (audio.seeking) return
    const drift = Math.abs(audio.currentTime - video.currentTime)
    if (drift > MAX_DRIFT_SECONDS * Math.max(1, video.playbackRate)) {
      audio.currentTime = video.currentTime
    }
  }
  const play = () => {
    keepStep()
    const isMoving = !video.paused && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA
    if (isMoving) void audio.play().catch(() => undefined)
  }
  const on = (types: string, act: () => void) => {
    for (const type of types.split(' ')) video.addEventListener(type, act, { signal: over.signal })
  }
  audio.addEventListener('error', onFailed, { signal: over.signal })
  on('playing seeked', play)
  on('pause waiting seeking ended', () => audio.pause())
  on('timeupdate ratechange', keepStep)
  play()
  return {
    audio,
    close() {
      over.abort()
      audio.pause()
      audio.removeAttribute('src')
      audio.load()
    },
  }
}
