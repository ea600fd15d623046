/**
 * The entry that runs before the app, with next to nothing to load: it begins the video that the server says
 * this page is about. The player takes it over when it appears. Elsewhere there is no video to begin.
 */
import { EARLY_SCRIPT_ID, EARLY_VIDEO_ID, type EarlyVideo } from '#shared/early-video.ts'
import { type BegunVideo, beginEarlyVideo } from './begin-early-video.ts'

/** The rest of the page waits no longer than this for the video to get a connection. */
const HEAD_START_MS = 150

let begun = beginServedVideo()
if (globalThis.document) afterVideo(fetchApp)

type WantedVideo = Pick<BegunVideo, 'videoId' | 'videoUrl' | 'hlsUrl'>

/** The video begun early, once, when it is this one and has had no trouble; any other is ended. */
export function takeBegunVideo(wanted: WantedVideo): BegunVideo | undefined {
  const found = begun
  if (!found) return undefined
  const isSame =
    found.videoId === wanted.videoId &&
    found.videoUrl === wanted.videoUrl &&
    found.hlsUrl === wanted.hlsUrl
  if (!isSame || found.video.error || found.relay.hasTrouble()) {
    dropBegunVideo()
    return undefined
  }
  begun = undefined
  return found
}

/** Ends a video begun early that nobody has taken. */
export function dropBegunVideo(): void {
  begun?.removeStage()
  begun?.close()
  begun = undefined
}

function beginServedVideo(): BegunVideo | undefined {
  const text = globalThis.document?.getElementById(EARLY_VIDEO_ID)?.textContent
  return text ? beginEarlyVideo(JSON.parse(text) as EarlyVideo) : undefined
}

/** A browser opens six connections only, and to its eyes scripts are more urgent than a video. */
function afterVideo(act: () => void): void {
  if (!begun) {
    act()
    return
  }
  let hasActed = false
  const actNow = () => {
    if (!hasActed) act()
    hasActed = true
  }
  setTimeout(actNow, HEAD_START_MS)
  begun.video.addEventListener('loadedmetadata', actNow, { once: true })
}

/** Asks for the rest of the page. */
function fetchApp(): void {
  const files = document.getElementById(EARLY_SCRIPT_ID)?.dataset.then?.split(' ') ?? []
  for (const file of files) {
    const link = document.createElement('link')
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload'
    if (file.endsWith('.css')) link.as = 'style'
    link.crossOrigin = 'anonymous'
    link.href = file
    document.head.append(link)
  }
}
