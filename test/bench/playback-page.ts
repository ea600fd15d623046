import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '#test/support/browser.ts'

const VIEWPORT = { width: 1440, height: 900 }
const TIMEOUT_MS = 30_000

declare global {
  interface Window {
    /** Milliseconds of the page's clock, as soon as a first frame was shown. */
    firstFrameAt?: number
    clickedAt?: number
  }
}

export async function withBrowser<Result>(
  work: (browser: Browser) => Promise<Result>,
): Promise<Result> {
  const browser = await startBrowser()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** A page of a user who was never here, that notes when a video shows its first frame. */
export async function openNewcomer(
  browser: Browser,
  options: { origin: string; quality?: number },
): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: options.origin, viewport: VIEWPORT, ignoreHTTPSErrors: true },
  })
  await context.addInitScript(watchFirstFrame)
  const memory = { isMuted: true, ...(options.quality && { quality: options.quality }) }
  await context.addInitScript(
    (text) => localStorage.setItem('clutch-player', text),
    JSON.stringify(memory),
  )
  return context.newPage()
}

function watchFirstFrame(): void {
  addEventListener('click', () => (window.clickedAt ??= performance.now()), true)
  const watched = new WeakSet<HTMLVideoElement>()
  const look = () => {
    const video = document.querySelector('video')
    if (!video || watched.has(video)) return
    watched.add(video)
    video.requestVideoFrameCallback((_, { presentationTime }) => {
      window.firstFrameAt ??= presentationTime
    })
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
}

/** Seconds from the click, or else from the beginning of the navigation, to the first frame. */
export async function secondsToFirstFrame(page: Page): Promise<number> {
  await page.waitForFunction(() => window.firstFrameAt !== undefined, null, { timeout: TIMEOUT_MS })
  const ms = await page.evaluate(() => (window.firstFrameAt ?? 0) - (window.clickedAt ?? 0))
  return ms / 1000
}

/** Goes to a share of the video that is not loaded yet; seconds until its picture is there. */
export async function secondsToSeek(page: Page, share: number): Promise<number> {
  // The player may be switching from the file to the stream.
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  const ms = await page.locator('video').evaluate(async (video: HTMLVideoElement, share) => {
    const target = video.duration * share
    for (let index = 0; index < video.buffered.length; index++) {
      const isThere = video.buffered.start(index) <= target && target <= video.buffered.end(index)
      if (isThere) throw new Error('The place to seek to is loaded already.')
    }
    const shown = new Promise<number>((resolve) => {
      const look: VideoFrameRequestCallback = (now, { mediaTime }) => {
        if (Math.abs(mediaTime - target) < 1) resolve(now)
        else video.requestVideoFrameCallback(look)
      }
      video.requestVideoFrameCallback(look)
    })
    const begunAt = performance.now()
    video.currentTime = target
    return (await shown) - begunAt
  }, share)
  return ms / 1000
}
