import type { Browser } from 'playwright-core'
import type { Benchmark, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { withBrowser } from './playback-page.ts'
import { siteOfPosters } from './seeded-site.ts'
import { startSite } from './server-child.ts'
import { tasksByThreadTime } from './thread-time.ts'

const CARDS = 500
const SLOWER = 4
const WHEEL_PX = 600
const PAUSE_MS = 100
/** Tasks from here on are what browsers call long. */
const LONG_MS = 50
const VIEWPORT = { width: 1440, height: 900 }

export const scrolling: Benchmark = {
  name: 'scrolling',
  title: 'Scrolling through 500 cards on a processor slowed 4 times',
  async run(input) {
    const site = await startSite(await siteOfPosters(input))
    try {
      const { tasks, threadTasks } = await withBrowser((browser) => scroll(browser, site.origin))
      const row: Measurement = {
        ...{ what: 'longest task while scrolling', row: 'scrolling', unit: 'ms' },
        ...{ ours: Math.max(0, ...tasks), floorName: null, floor: null, goal: atMost(LONG_MS) },
        remark: describe(tasks, threadTasks),
      }
      return [row]
    } finally {
      await site.stop()
    }
  },
}

/** A task's duration has the waiting for a processor in it, which on a busy machine is most of it. */
function describe(tasks: number[], threadTasks: number[]): string {
  const long = threadTasks.filter((ms) => ms > LONG_MS)
  const longest = Math.round(Math.max(0, ...threadTasks))
  return `${tasks.length} long tasks; by processor time ${long.length}, longest ${longest} ms`
}

async function scroll(browser: Browser, origin: string) {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.goto(origin, { waitUntil: 'networkidle' })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration)
    }).observe({ type: 'longtask' })
  })
  const end = await page.evaluate((cards) => {
    const [first, ...others] = [...document.querySelectorAll('article')].map((card) =>
      card.getBoundingClientRect(),
    )
    const columns = others.findIndex((card) => card.top !== first?.top) + 1
    return Math.ceil(cards / columns) * ((others[columns - 1]?.top ?? 0) - (first?.top ?? 0))
  }, CARDS)
  await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2)
  const threadTasks = await tasksByThreadTime(browser, async () => {
    for (let at = 0; at < end; at = await page.evaluate(() => scrollY)) {
      await page.mouse.wheel(0, WHEEL_PX)
      await page.waitForTimeout(PAUSE_MS)
    }
  })
  // The last tasks are reported a moment later.
  await page.waitForTimeout(PAUSE_MS)
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)
  await context.close()
  return { tasks, threadTasks }
}
