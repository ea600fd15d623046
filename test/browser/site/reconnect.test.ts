import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { DESKTOP, openPage } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import type { SavedSession } from '#test/support/full-site.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

/** Pages go on within 3 s; a busy machine draws later. */
const BACK = { timeout: 6000 }
const SECONDS = 60

const server = setUpHostedSite({ env: { RENDITIONS: '144' } })
let line: Awaited<ReturnType<typeof openBreakableLine>>
let session: SavedSession
let clip: string
let videoId: number
let page: Page

beforeAll(async () => {
  line = await openBreakableLine(server.port)
  const { page } = await openPage(server.browser, { origin: line.origin, isNew: true })
  const userId = await register(page, 'nova')
  // More than a browser reads ahead of a file.
  clip = await makeClip({
    ...{ path: join(server.dataFolder, 'match.mp4'), width: 640, height: 360 },
    seconds: isLongForm ? SECONDS : 5,
    ...{ frameRate: 10, filters: ['noise=alls=60:allf=t'] },
  })
  videoId = await uploadClip(page, clip, { title: 'The match' })
  await writeRows(server, (db) =>
    addVideos(
      db,
      Array.from({ length: 70 }, (_, index) => ({ userId, title: `Round ${index + 1}` })),
    ),
  )
  session = await page.context().storageState()
  await page.context().close()
})
afterAll(async () => {
  await line.stop()
})
beforeEach(async () => {
  const look = { viewport: DESKTOP, serviceWorkers: 'block' } as const
  const options = { baseURL: line.origin, storageState: session, ...look }
  const context = await server.browser.newContext(options)
  page = await context.newPage()
})
afterEach(async () => {
  line.mend()
  await page.context().close()
})

/** What a page fetches when it has nothing else to do, which is loaded again with the page where it is missing. */
const AHEAD = ['live-events-', 'icon-tooltip-', 'toast-region-', 'notification-bell-']
const untilFetchedAhead = () =>
  expect
    .poll(() =>
      page.evaluate(
        (names) =>
          names.filter((name) =>
            performance
              .getEntriesByType('resource')
              .every((entry) => !entry.name.includes(`/${name}`)),
          ),
        AHEAD,
      ),
    )
    .toEqual([])

const reconnecting = () => page.getByText('Reconnecting…')

/** The server is away, and the page has noticed: it says so once, and says nothing else of it. */
async function breakDown(provoke?: () => Promise<unknown>): Promise<void> {
  line.breakDown()
  await provoke?.()
  await reconnecting().waitFor()
  expect(await reconnecting().count()).toBe(1)
  expect(await page.getByText('could not be reached').count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
}

/** The server is there again, and the page does not speak of it any more. */
async function mend(): Promise<void> {
  line.mend()
  await reconnecting().waitFor({ state: 'detached', ...BACK })
}

const playing = () =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    time: video.currentTime,
    isPaused: video.paused,
  }))

longTest('a list that broke off in its middle goes on at the page that failed', async () => {
  await page.goto('/')
  const cards = page.getByRole('article')
  await expect.poll(() => cards.count()).toBe(48)
  await untilFetchedAhead()
  await breakDown(() => page.evaluate(() => scrollTo(0, document.body.scrollHeight)))
  expect(await auditPage(page)).toEqual([])
  expect(await cards.count()).toBe(48)
  await mend()
  await expect.poll(() => cards.count(), BACK).toBe(71)
})

test('a page and a list that are gone to while the server is away are there when it is back', async () => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Explore' }).first().waitFor()
  // The stream of live events ends first, by which the page knows.
  await breakDown()
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await page.waitForURL('/explore')
  expect(await reconnecting().count()).toBe(1)
  await mend()
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor(BACK)
  await page.getByRole('main').getByText('71 videos').waitFor(BACK)
})

longTest('a page whose code could not be fetched is loaded again', async () => {
  await page.goto('/about')
  await page.getByRole('link', { name: 'Explore' }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const isChunk = /assets\/explore-page-.*js/
  await page.route(isChunk, (route) => route.abort('connectionreset'))
  await breakDown(() => page.getByRole('link', { name: 'Explore' }).first().click())
  await page.unroute(isChunk)
  await mend()
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor(BACK)
})

longTest('the studio and its pictures are there when the server is back', async () => {
  await page.goto('/')
  const link = page.getByRole('link', { name: 'Studio' }).first()
  await link.hover()
  await page.waitForLoadState('networkidle')
  await breakDown()
  await link.click()
  await page.waitForURL('/studio')
  await mend()
  await page.getByRole('main').getByText('The match').first().waitFor(BACK)
  await expect
    .poll(
      () =>
        page
          .getByRole('main')
          .locator('img[src*="/media/"]')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      BACK,
    )
    .toBeGreaterThan(0)
})

longTest.each(['the stream', 'the file'])('%s plays on at its place', async (source) => {
  await page.addInitScript((isFile) => {
    localStorage.setItem('clutch-player', JSON.stringify({ isMuted: true, startsItself: false }))
    if (!isFile) return
    Reflect.deleteProperty(globalThis, 'MediaSource')
    HTMLVideoElement.prototype.canPlayType = (type) => (/mpegurl/i.test(type) ? '' : 'maybe')
  }, source === 'the file')
  await page.goto(`/video/${videoId}`)
  const video = page.locator('video')
  await video.evaluate((element: HTMLVideoElement) => element.play())
  await expect.poll(async () => (await playing()).time).toBeGreaterThan(0.5)
  await breakDown(() =>
    video.evaluate((element: HTMLVideoElement, to) => {
      element.currentTime = to
    }, SECONDS - 15),
  )
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
    .toBeLessThan(3)
  expect((await playing()).isPaused).toBe(false)
  await mend()
  await expect.poll(async () => (await playing()).time, BACK).toBeGreaterThan(SECONDS - 14.5)
  expect((await playing()).isPaused).toBe(false)
  expect((await playing()).time).toBeLessThan(SECONDS - 5)
})

longTest('an upload waits, without a speed, and goes on', async () => {
  await page.goto('/upload')
  const path = join(server.dataFolder, 'long.mp4')
  await makeClip({ path, seconds: 4, width: 1280, height: 720, filters: ['noise=alls=60:allf=t'] })
  const cdp = await page.context().newCDPSession(page)
  const throttled = { offline: false, latency: 0, downloadThroughput: -1 }
  await cdp.send('Network.emulateNetworkConditions', {
    ...throttled,
    uploadThroughput: UPLOAD_CHUNK_BYTES / 2,
  })
  await page.getByLabel('Several video files').setInputFiles(path)
  const row = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
  await row.getByText(/[1-9]\d*% · .+\/s/).waitFor()
  await breakDown()
  await row.getByText(/\d+% · Waiting for the server/).waitFor()
  const head = page.getByRole('region', { name: 'Uploads' })
  expect(await head.getByText(/\/s\b|left/).count()).toBe(0)
  await cdp.send('Network.emulateNetworkConditions', { ...throttled, uploadThroughput: -1 })
  await mend()
  await row.getByText(/Waiting for the server/).waitFor({ state: 'detached', ...BACK })
  await row.getByText('Ready to watch').waitFor({ timeout: 100_000 })
})

test('live events are heard again', async () => {
  await page.goto('/library')
  await page.getByRole('button', { name: /^Notifications/ }).waitFor()
  await breakDown()
  await mend()
  const { page: other } = await openPage(server.browser, { origin: line.origin, isNew: true })
  await register(other, 'fan')
  await other.request.post('/api/subscriptions', { data: { channelId: 1 } })
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor(BACK)
  await other.context().close()
})

longTest('a proxy that answers in the place of the server is waited for, too', async () => {
  await page.goto('/')
  await untilFetchedAhead()
  const answers = /\/(trpc|api|media)\//
  await page.route(answers, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<title>Bad Gateway</title>' }),
  )
  await page.getByRole('navigation', { name: 'Categories' }).getByText('CS2').click()
  await reconnecting().waitFor()
  await page.getByRole('main').getByRole('status', { name: 'Loading videos' }).waitFor()
  expect(await page.getByText('Bad Gateway').count()).toBe(0)
  await page.unroute(answers)
  await page.getByText('No videos found in category CS2').waitFor(BACK)
  await reconnecting().waitFor({ state: 'detached', ...BACK })
})

longTest('pictures that could not be loaded are loaded again', async () => {
  await page.goto('/library')
  await page.waitForLoadState('networkidle')
  await breakDown()
  await page.evaluate(() => {
    const image = new Image()
    image.id = 'tried'
    image.src = '/favicon.svg?lost'
    document.body.append(image)
  })
  const isLoaded = () =>
    page.locator('#tried').evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
  await expect
    .poll(() => page.locator('#tried').evaluate((image: HTMLImageElement) => image.complete))
    .toBe(true)
  expect(await isLoaded()).toBe(false)
  await mend()
  await expect.poll(isLoaded, BACK).toBe(true)
})

longTest('a browser that is offline says so before anything is asked for', async () => {
  await page.goto('/library')
  await page.context().setOffline(true)
  await reconnecting().waitFor()
  await page.context().setOffline(false)
  await reconnecting().waitFor({ state: 'detached', ...BACK })
})
