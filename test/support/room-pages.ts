import type { Page } from 'playwright-core'

/** Where the video of a page is, in seconds. */
export const placeIn = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? Number.NaN)

/**
 * When the videos of pages began, in seconds of the clock, so that it does not matter how long it
 * takes to ask them. The pages are of this machine. For a paused video, where it is.
 */
export const beginsOf = (pages: readonly Page[]): Promise<number[]> =>
  Promise.all(
    pages.map((page) =>
      page.evaluate(() => {
        const video = document.querySelector('video')
        if (!video) return Number.NaN
        const rate = Math.round(video.playbackRate * 4) / 4
        return video.paused ? video.currentTime : video.currentTime / rate - Date.now() / 1000
      }),
    ),
  )

/** How far the pictures of pages are from each other, in seconds. */
export async function apart(pages: readonly Page[]): Promise<number> {
  const begins = await beginsOf(pages)
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

/** How often the videos of pages were paused, from the first call on. */
export async function countPauses(pages: readonly Page[]): Promise<number> {
  const counts = await Promise.all(
    pages.map((page) =>
      page.evaluate(() => {
        const video = document.querySelector('video')
        if (!video) return 0
        if (video.dataset.pauses === undefined) {
          video.dataset.pauses = '0'
          video.addEventListener('pause', () => {
            video.dataset.pauses = String(Number(video.dataset.pauses) + 1)
          })
        }
        return Number(video.dataset.pauses)
      }),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

export const pausedIn = (pages: readonly Page[]): Promise<boolean[]> =>
  Promise.all(
    pages.map((page) => page.evaluate(() => document.querySelector('video')?.paused === true)),
  )
