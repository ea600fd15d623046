import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type Benchmark, type Measurement, takeTurns } from './benchmark.ts'
import { atMost } from './goal.ts'
import { openNewcomer, secondsToFirstFrame, secondsToSeek, withBrowser } from './playback-page.ts'
import { siteOfMatch } from './seeded-site.ts'
import { startFloor, startSite } from './server-child.ts'

const SHARE = 0.87

export const seek: Benchmark = {
  name: 'seek',
  title: 'Seeking to a place that is not loaded',
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
            bare: () => measure(browser, { origin: floor.origin, path: '/' }),
            file: () => measure(browser, { origin, path }),
            hls: () => measure(browser, { origin, path, quality: 480 }),
          },
          (time) => time,
        ),
      )
      const row = (what: string, ours: number): Measurement => ({
        ...{ what, unit: 's', ours, floorName: 'bare <video> page', floor: seconds.bare },
        ...{ row: 'seek', goal: atMost(0.3) },
      })
      return [row('seek in the file', seconds.file), row('seek by HLS', seconds.hls)]
    } finally {
      await Promise.all([site.stop(), floor.stop()])
    }
  },
}

async function measure(
  browser: Browser,
  { path, ...options }: { origin: string; path: string; quality?: number },
): Promise<number> {
  const page = await openNewcomer(browser, options)
  try {
    await page.goto(path)
    await secondsToFirstFrame(page)
    return await secondsToSeek(page, SHARE)
  } finally {
    await page.context().close()
  }
}
