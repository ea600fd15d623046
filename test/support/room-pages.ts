import type { Page } from 'playwright-core'

/** Where the video of a page is, in seconds. */
export const placeIn = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? Number.NaN)

/**
 * How far the pictures of pages are from each other, in seconds of the clock, however long it takes
 * to ask them. The pages are of this machine.
 */
export async function apart(pages: readonly Page[]): Promise<number> {
  const begins = await Promise.all(
    pages.map((page) =>
      page.evaluate(() => {
        const video = document.querySelector('video')
        if (!video) return Number.NaN
        const place = video.currentTime
        const rate = Math.round(video.playbackRate * 4) / 4
        return video.paused ? place : place / rate - Date.now() / 1000
      }),
    ),
  )
  return Math.max(...begins) - Math.min(...begins)
}

/** Holds the picture of a page as if its data had not come. */
export const stallFor = (page: Page, ms: number): Promise<void> =>
  page.evaluate(async (time) => {
    const video = document.querySelector('video')
    if (!video) return
    const place = video.currentTime
    const until = performance.now() + time
    while (performance.now() < until) {
      video.currentTime = place
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, ms)
