import type { Browser } from 'playwright-core'
import { CARD_SIZES, posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { type Benchmark, type Measurement, takeTurns } from './benchmark.ts'
import { atMostTimes } from './goal.ts'
import { withBrowser } from './playback-page.ts'
import { siteOfPosters } from './seeded-site.ts'
import { startFloor, startSite } from './server-child.ts'

const ROUNDS = 5
const WINDOWS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
/** What a large window shows. */
const FIRST_CARDS = 12

export const paint: Benchmark = {
  name: 'paint',
  title: 'The largest paint of the home page on a cold cache, beside a plain page of its pictures',
  async run(input) {
    const dataFolder = await siteOfPosters(input)
    const site = await startSite(dataFolder)
    const answer = await fetch(`${site.origin}/api/videos`)
    const videos = ((await answer.json()) as Video[]).slice(0, FIRST_CARDS)
    const cards = videos.map((video) => ({
      title: video.title,
      sizes: CARD_SIZES,
      ...posterOf(video),
    }))
    const floor = await startFloor('picture-page', dataFolder, JSON.stringify(cards))
    try {
      return await withBrowser(async (browser) => {
        const rows: Measurement[] = []
        for (const [name, window] of Object.entries(WINDOWS)) {
          const measure = (origin: string) => () => medianOfVisits(browser, { origin, window })
          const ms = await takeTurns(
            { site: measure(site.origin), plain: measure(floor.origin) },
            (time) => time,
          )
          rows.push({
            ...{ what: `largest paint, ${name}`, row: 'largest-paint', unit: 'ms' },
            ...{ ours: ms.site, floorName: 'plain page, same pictures', floor: ms.plain },
            goal: atMostTimes(1.5),
          })
        }
        return rows
      })
    } finally {
      await Promise.all([site.stop(), floor.stop()])
    }
  },
}

type Visit = { origin: string; window: { width: number; height: number } }

async function medianOfVisits(browser: Browser, visit: Visit): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await largestPaint(browser, visit))
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
}

/** Milliseconds from the beginning of the navigation, by a user who was never here. */
async function largestPaint(browser: Browser, { origin, window }: Visit): Promise<number> {
  const context = await browser.newContext({ viewport: window })
  const page = await context.newPage()
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) largest.at = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    const largest = { at: Number.NaN }
    Object.assign(globalThis, { largest })
  })
  await page.goto(origin, { waitUntil: 'networkidle' })
  const { at } = await page.evaluate(
    () => (globalThis as unknown as { largest: { at: number } }).largest,
  )
  await context.close()
  return at
}
