/**
 * The entry of a video's page, with next to nothing to load: it begins the video that the server says this
 * page is about, and then the app, whose player takes it over. Elsewhere there is no video to begin.
 */
import { EARLY_SCRIPT_ID, EARLY_VIDEO_ID, type EarlyVideo } from '#shared/early-video.ts'
import { type BegunVideo, beginEarlyVideo } from './begin-early-video.ts'

/** The rest of the page waits no longer than this for the video to get a connection. */
const HEAD_START_MS = 150
/** The app, which keeps a processor busy, waits no longer than this for the first picture. */
const PICTURE_MS = 400

let begun = beginServedVideo()
if (globalThis.document?.getElementById(EARLY_SCRIPT_ID)) beginApp()

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
  try {
    return text ? beginEarlyVideo(JSON.parse(text) as EarlyVideo) : undefined
  } catch (error) {
    // The player says what is wrong with it.
    console.error(error)
  }
}

/**
 * Asks for the app once the video has a connection, of which a browser opens six only and thinks scripts more
 * urgent, and runs it when there is a picture.
 */
function beginApp(): void {
  if (!begun) {
    fetchApp()
    runApp()
    return
  }
  const { video } = begun
  soonest(HEAD_START_MS, fetchApp, (act) => {
    for (const type of ['loadedmetadata', 'error']) video.addEventListener(type, act)
  })
  soonest(PICTURE_MS, runApp, (act) => {
    video.addEventListener('error', act)
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(act)
    else (video as HTMLVideoElement).addEventListener('loadeddata', act)
  })
}

/** Acts once: when told to, and after so many milliseconds at the latest. */
function soonest(ms: number, act: () => void, tell: (act: () => void) => void): void {
  let hasActed = false
  const actOnce = () => {
    if (!hasActed) act()
    hasActed = true
  }
  setTimeout(actOnce, ms)
  tell(actOnce)
}

/** Asks for all that the page is made of. */
function fetchApp(): void {
  for (const file of earlyData().then?.split(' ') ?? []) {
    const link = document.createElement('link')
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload'
    if (file.endsWith('.css')) link.as = 'style'
    link.crossOrigin = 'anonymous'
    link.href = file
    document.head.append(link)
  }
}

function runApp(): void {
  // It comes out of the browser's cache before the page is read: then there is no root for it yet.
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', runApp, { once: true })
    return
  }
  const script = document.createElement('script')
  script.type = 'module'
  script.crossOrigin = 'anonymous'
  script.src = earlyData().app ?? ''
  document.head.append(script)
}

function earlyData(): DOMStringMap {
  return document.getElementById(EARLY_SCRIPT_ID)?.dataset ?? {}
}
