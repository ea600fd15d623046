import type { Progress } from '#shared/schemas/library.schemas.ts'
import { classifyReferrer, type ViewSource } from '#shared/view-source.ts'

const REPORT_EVERY_SECONDS = 5
/** Longer steps are seeks, or sleep of the computer. */
const LONGEST_STEP_SECONDS = 2

type Watcher = {
  videoId: number
  /** At the start, every five seconds of playback, on pause and at the end. */
  onProgress: (progress: Progress) => void
  onLeave: (progress: Progress) => void
}

/**
 * Counts seconds of actual playback.
 * @returns stops after a last report
 */
export function trackWatching(video: HTMLVideoElement, watcher: Watcher): () => void {
  const source = viewSource()
  let watchedSeconds = 0
  let reportedSeconds = 0
  let hasBegun = false
  let lastUpdate: number | undefined

  const count = () => {
    const now = performance.now() / 1000
    const step = lastUpdate === undefined ? 0 : now - lastUpdate
    if (step <= LONGEST_STEP_SECONDS) watchedSeconds += step
    lastUpdate = video.paused ? undefined : now
  }
  const report = (send: (progress: Progress) => void) => {
    count()
    if (watchedSeconds === reportedSeconds) return
    reportedSeconds = watchedSeconds
    const { videoId } = watcher
    send({ videoId, positionSeconds: video.currentTime, watchedSeconds, source })
  }
  const listeners = new AbortController()
  const { signal } = listeners
  const begin = () => {
    lastUpdate = performance.now() / 1000
    if (hasBegun) return
    hasBegun = true
    // The server counts seconds only from the first report on.
    const { videoId, onProgress } = watcher
    onProgress({ videoId, positionSeconds: video.currentTime, watchedSeconds: 0, source })
  }
  const wait = () => {
    count()
    lastUpdate = undefined
  }
  const update = () => {
    if (lastUpdate === undefined) return
    count()
    if (watchedSeconds - reportedSeconds >= REPORT_EVERY_SECONDS) report(watcher.onProgress)
  }
  const leave = () => {
    if (document.visibilityState === 'hidden') report(watcher.onLeave)
  }
  if (!video.paused) begin()
  video.addEventListener('playing', begin, { signal })
  video.addEventListener('waiting', wait, { signal })
  video.addEventListener('timeupdate', update, { signal })
  video.addEventListener('pause', () => report(watcher.onProgress), { signal })
  document.addEventListener('visibilitychange', leave, { signal })
  addEventListener('pagehide', () => report(watcher.onLeave), { signal })
  return () => {
    listeners.abort()
    report(watcher.onLeave)
  }
}

/** The referrer on the first page, afterwards the site itself. */
function viewSource(): ViewSource {
  const [first] = performance.getEntriesByType('navigation')
  const wasFirst = first !== undefined && new URL(first.name).pathname === location.pathname
  return wasFirst ? classifyReferrer(document.referrer, location.origin) : 'site'
}
