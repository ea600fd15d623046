/**
 * A `<video>` that loads the beginning of a file before its player exists: from the HTML of the page, or for a card that
 * is about to be opened.
 */
let early = document.querySelector<HTMLVideoElement>('.skeleton video')
/** An element that is not taken within this time is dropped. */
const KEPT_MS = 10_000
let timer: ReturnType<typeof setTimeout> | undefined

/** One at a time. */
export function loadEarly(url: string): void {
  if (early?.getAttribute('src') === url) return
  drop()
  early = document.createElement('video')
  early.preload = 'metadata'
  early.src = url
  timer = setTimeout(drop, KEPT_MS)
}

/** @returns a new element unless this file is loading */
export function takeEarly(url: string): HTMLVideoElement {
  const video = early
  early = null
  clearTimeout(timer)
  if (!video || !loads(video, url)) {
    stop(video)
    return document.createElement('video')
  }
  video.hidden = false
  return video
}

/** At any place. */
export function loads(video: HTMLVideoElement, url: string): boolean {
  return video.getAttribute('src')?.split('#')[0] === url && !video.error
}

function drop(): void {
  clearTimeout(timer)
  stop(early)
  early = null
}

function stop(video: HTMLVideoElement | null): void {
  video?.removeAttribute('src')
  video?.load()
}
