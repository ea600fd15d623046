import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { CARD_SIZES, posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { PHONE } from '#test/support/browser.ts'
import { type Benchmark, type Measurement, takeTurns } from './benchmark.ts'
import { startCaddy } from './caddy.ts'
import { atMost } from './goal.ts'
import { startNginx } from './nginx.ts'
import { openNewcomer, secondsToFirstFrame, secondsToSeek, withBrowser } from './playback-page.ts'
import { siteOfPosters } from './seeded-site.ts'
import { startFloor, startSite } from './server-child.ts'
import { openShapedLine, type ShapedLine } from './shaped-line.ts'

/** 20 Mb/s. */
const BYTES_PER_SECOND = 2_500_000
const LINES = [
  { roundTripMs: 50, goals: { home: 0.8, click: 0.5, address: 1, seek: 0.4 } },
  { roundTripMs: 150, goals: { home: 1.6, click: 1, address: 1.8, seek: 0.7 } },
]
const BARE = 'bare <video> page'
const PICTURES = 'plain page, same pictures'
const ROWS = [
  ['home', 'far-home', 'home page with its pictures', 'plainHome', PICTURES],
  ['click', 'far-click', 'click to first frame', 'bareAddress', BARE],
  ['address', 'far-address', 'address to first frame', 'bareAddress', BARE],
  ['seek', 'far-seek', 'seek', 'bareSeek', BARE],
] as const
/** A phone that has seen the page for so long has loaded what is fetched ahead. */
const QUIET_MS = 5000
const FIRST_CARDS = 12
const SEEK_SHARE = 0.8
/** Before a seek. */
const WATCHED_MS = 2000

type Way = Pick<ShapedLine, 'origin' | 'close'>
type Ways = { site: Way; pictures: Way; video: Way; proxies: { name: string; way: Way }[] }

export const farAway: Benchmark = {
  name: 'far-away',
  title: 'First visits through a line of 20 Mb/s with its delay, beside plain pages',
  async run(input) {
    const dataFolder = await siteOfPosters(input)
    const site = await startSite(dataFolder, { settings: { TRUSTED_PROXY: '127.0.0.1' } })
    const workFolder = await mkdtemp(join(tmpdir(), 'clutch-far-away-'))
    const proxies = [
      {
        name: 'nginx',
        proxy: await startNginx({ folder: dataFolder, workFolder, site, isSecure: true }),
      },
      { name: 'Caddy', proxy: await startCaddy({ workFolder, site }) },
    ]
    const videos = (await (await fetch(`${site.origin}/api/videos`)).json()) as Video[]
    const cards = videos.slice(0, FIRST_CARDS).map((video) => {
      const { src, srcSet } = posterOf(video)
      return { title: video.title, sizes: CARD_SIZES, src, srcSet }
    })
    const longest = videos.reduce((a, b) => (a.duration >= b.duration ? a : b))
    const pictures = await startFloor('picture-page', dataFolder, JSON.stringify(cards))
    const video = await startFloor('video-page', join(dataFolder, longest.videoUrl ?? ''))
    try {
      return await withBrowser(async (browser) => {
        const rows: Measurement[] = []
        for (const { roundTripMs, goals } of LINES) {
          const shape = { bytesPerSecond: BYTES_PER_SECOND, roundTripMs }
          const open = ({ port }: { port: number }) => openShapedLine(port, shape)
          const [near, plain, bare] = [await open(site), await open(pictures), await open(video)]
          const secure: Ways['proxies'] = []
          for (const { name, proxy } of proxies) {
            if (!proxy) continue
            const way = await open(proxy)
            // Caddy selects the site by the host name.
            const origin = way.origin.replace('http://127.0.0.1', 'https://localhost')
            secure.push({ name, way: { ...way, origin } })
          }
          const ways = { site: near, pictures: plain, video: bare, proxies: secure }
          try {
            rows.push(...(await measureLine(browser, { ways, id: longest.id, roundTripMs, goals })))
          } finally {
            const opened = [near, plain, bare, ...secure.map(({ way }) => way)]
            await Promise.all(opened.map((way) => way.close()))
          }
        }
        return [...rows, ...(await weighHome(browser, site.origin))]
      })
    } finally {
      const stopped = [site, pictures, video, ...proxies.map(({ proxy }) => proxy)]
      await Promise.all(stopped.map((one) => one?.stop()))
      await rm(workFolder, { recursive: true })
    }
  },
}

type Line = { ways: Ways; id: number } & (typeof LINES)[number]

async function measureLine(
  browser: Browser,
  { ways, id, roundTripMs, goals }: Line,
): Promise<Measurement[]> {
  const path = `/video/${id}`
  const visits = (origin: string) => ({
    home: () => visit(browser, { origin, path: '/' }, secondsToPictures),
    click: () => visit(browser, { origin, path: '/' }, (page) => clickCard(page, path)),
    address: () => visit(browser, { origin, path }, secondsToFirstFrame),
    seek: () => visit(browser, { origin, path }, seekLater),
  })
  const plain = { ...ways.pictures, path: '/' }
  const bare = { ...ways.video, path: '/' }
  const { home, click, address, seek } = visits(ways.site.origin)
  const seconds = await takeTurns(
    {
      ...{ home, click, address, seek },
      plainHome: () => visit(browser, plain, secondsToPictures),
      bareAddress: () => visit(browser, bare, secondsToFirstFrame),
      bareSeek: () => visit(browser, bare, seekLater),
    },
    (time) => time,
  )
  const secure: { name: string; times: Record<keyof typeof goals, number> }[] = []
  for (const { name, way } of ways.proxies) {
    secure.push({ name, times: await takeTurns(visits(way.origin), (time) => time) })
  }
  return ROWS.flatMap(([name, row, what, floor, floorName]) => {
    const goal = atMost(goals[name])
    const near = { row, what: `${what}, ${roundTripMs} ms`, unit: 's' as const, goal }
    return [
      { ...near, ours: seconds[name], floor: seconds[floor], floorName },
      ...secure.map((proxy) => ({
        ...{ ...near, what: `${near.what}, through ${proxy.name} with HTTP/2` },
        ...{ ours: proxy.times[name], floor: null, floorName: null },
      })),
    ]
  })
}

async function visit(
  browser: Browser,
  { origin, path }: { origin: string; path: string },
  measure: (page: Page) => Promise<number>,
): Promise<number> {
  const page = await openNewcomer(browser, { origin })
  try {
    await page.goto(path, { waitUntil: 'commit' })
    return await measure(page)
  } finally {
    await page.context().close()
  }
}

/** Until all pictures of cards in the window have come. */
async function secondsToPictures(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('article img')]
    const seen = pictures.filter((picture) => picture.getBoundingClientRect().top < innerHeight)
    const isDone = seen.length > 0 && seen.every((one) => one.complete && one.naturalWidth > 0)
    return isDone && performance.now()
  })
  return Number(await found.jsonValue()) / 1000
}

async function clickCard(page: Page, path: string): Promise<number> {
  await page.waitForLoadState('networkidle')
  await page.locator(`main a[href="${path}"]`).first().click()
  return secondsToFirstFrame(page)
}

async function seekLater(page: Page): Promise<number> {
  await secondsToFirstFrame(page)
  await page.waitForTimeout(WATCHED_MS)
  return secondsToSeek(page, SEEK_SHARE)
}

/** What travels to a phone with a dense screen. */
async function weighHome(browser: Browser, origin: string): Promise<Measurement[]> {
  const context = await browser.newContext({
    ...{ viewport: PHONE, deviceScaleFactor: 2.625, isMobile: true, hasTouch: true },
  })
  try {
    const page = await context.newPage()
    let requests = 0
    let bytes = 0
    page.on('requestfinished', async (request) => {
      const sizes = await request.sizes()
      requests += 1
      bytes += sizes.responseBodySize + sizes.responseHeadersSize
    })
    await page.goto(origin, { waitUntil: 'networkidle' })
    await page.waitForTimeout(QUIET_MS)
    const alone = { row: 'far-weight', floorName: null, floor: null } as const
    return [
      { ...alone, what: 'bytes', unit: 'kB', ours: bytes / 1000, goal: atMost(350) },
      { ...alone, what: 'requests', unit: 'times', ours: requests, goal: atMost(25) },
    ]
  } finally {
    await context.close()
  }
}
