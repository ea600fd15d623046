import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type Benchmark, type Measurement, takeTurns } from './benchmark.ts'
import { atMostTimes } from './goal.ts'
import { openNewcomer, secondsToFirstFrame, withBrowser } from './playback-page.ts'
import { siteOfMatch } from './seeded-site.ts'
import { startFloor, startSite } from './server-child.ts'

/** The app is there and at rest when the card is clicked. */
const warm = { row: 'first-frame', goal: atMostTimes(3.5, 0.1) } as const
const cold = { row: 'start-of-playback', goal: atMostTimes(3.5) } as const

type Start = { origin: string; path: string; quality?: number; clicks?: boolean }

export const startOfPlayback: Benchmark = {
  name: 'start-of-playback',
  title: 'From the click to the first frame, beside a bare <video> page',
  async run(input) {
    const dataFolder = await siteOfMatch(input)
    const site = await startSite(dataFolder)
    const answer = await fetch(`${site.origin}/api/videos`)
    const [video] = (await answer.json()) as [{ id: number; videoUrl: string }]
    const floor = await startFloor('video-page', join(dataFolder, video.videoUrl))
    const path = `/video/${video.id}`
    const { origin } = site
    try {
      const seconds = await withBrowser((browser) =>
        takeTurns(
          {
            bare: () => start(browser, { origin: floor.origin, path: '/' }),
            card: () => start(browser, { origin, path: '/', clicks: true }),
            address: () => start(browser, { origin, path }),
            hlsCard: () => start(browser, { origin, path: '/', clicks: true, quality: 480 }),
            hls: () => start(browser, { origin, path, quality: 480 }),
          },
          (time) => time,
        ),
      )
      const floorOf = { floorName: 'bare <video> page', floor: seconds.bare }
      const toSeconds = (ours: number): Pick<Measurement, 'unit' | 'ours'> => ({ unit: 's', ours })
      return [
        { what: 'after a click on a card', ...toSeconds(seconds.card), ...floorOf, ...warm },
        { what: 'the same by HLS', ...toSeconds(seconds.hlsCard), ...floorOf, ...warm },
        { what: 'opened by its address', ...toSeconds(seconds.address), ...floorOf, ...cold },
        { what: 'the same by HLS', ...toSeconds(seconds.hls), ...floorOf, ...cold },
      ]
    } finally {
      await Promise.all([site.stop(), floor.stop()])
    }
  },
}

async function start(browser: Browser, { origin, path, quality, clicks }: Start): Promise<number> {
  const page = await openNewcomer(browser, { origin, ...(quality && { quality }) })
  try {
    await page.goto(path)
    if (clicks) {
      await page.waitForLoadState('networkidle')
      await page.locator('main a[href^="/video/"]').first().click()
    }
    return await secondsToFirstFrame(page)
  } finally {
    await page.context().close()
  }
}
