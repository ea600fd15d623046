import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, launchBrowser, openPage, PHONE } from '../support/browser.ts'
import { makeClip } from '../support/clips.ts'
import { register } from '../support/page-member.ts'
import { uploadFrom } from '../support/page-upload.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

let server: ServerProcess
let browser: Browser
let folder: string
let videoId: number
let address: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-early-'))
  server = await startServer({ env: { RENDITIONS: '240' } })
  browser = await launchBrowser()
  const { page } = await openPage(browser, { origin: server.origin })
  await register(page, 'nova')
  const clip = await makeClip({
    path: join(folder, 'match.mp4'),
    width: 480,
    height: 270,
    seconds: 8,
  })
  await page.goto('/')
  videoId = await uploadFrom(page, { path: clip, title: 'The match' })
  address = `/video/${videoId}`
  await page.context().close()
})
afterAll(async () => {
  await browser.close()
  await server.remove()
  await rm(folder, { recursive: true, force: true })
})

type Open = { viewport?: typeof DESKTOP; memory?: object }

/** A page whose app does not come before `release` is called. */
async function openWithoutApp({ viewport = DESKTOP, memory = {} }: Open = {}) {
  const context = await browser.newContext({ baseURL: server.origin, viewport })
  await context.addInitScript(
    (text) => localStorage.setItem('clutch-player', text),
    JSON.stringify({ isMuted: true, ...memory }),
  )
  // What a test asks of the page counts as a gesture, which would start the video.
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/index-.*\.js$/, async (route) => {
    await released
    await route.continue()
  })
  return { page, release, problems, close: () => context.close() }
}

const hasPicture = (page: Page, place: string) =>
  page.waitForFunction(
    (selector) => (document.querySelector<HTMLVideoElement>(selector)?.readyState ?? 0) >= 2,
    `${place} video`,
  )

test.each([
  ['a desktop', { viewport: DESKTOP }],
  ['a narrow window', { viewport: { width: 900, height: 700 } }],
  ['a phone', { viewport: PHONE }],
  ['the theatre', { viewport: DESKTOP, memory: { isTheatre: true } }],
])(
  'on %s the video loads in its place before the app is there, which takes it over',
  async (_, options) => {
    const { page, release, problems, close } = await openWithoutApp(options)
    await page.goto(`${address}?t=3`, { waitUntil: 'commit' })
    await hasPicture(page, '.early-stage')
    const video = page.locator('video')
    const early = await video.evaluate((element: HTMLVideoElement) => {
      Object.assign(element, { wasEarly: true })
      return { time: element.currentTime, isPaused: element.paused, poster: element.poster }
    })
    expect(early).toMatchObject({
      time: 3,
      isPaused: true,
      poster: expect.stringMatching(/poster/),
    })
    const place = await video.boundingBox()
    // What the app asks for only once it runs is asked for as well.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/watch-page-')),
    )
    release()
    await hasPicture(page, '[role="group"]')
    expect(await video.evaluate((element) => 'wasEarly' in element)).toBe(true)
    expect(await video.boundingBox()).toEqual(place)
    expect(await page.locator('.early-stage').count()).toBe(0)
    expect(await video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBe(3)
    await page.keyboard.press('k')
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
      .toBeGreaterThan(3.2)
    expect(problems).toEqual([])
    await close()
  },
)

test('without the server’s word the player begins the video itself', async () => {
  const { page, release, problems, close } = await openWithoutApp()
  await page.route(`**${address}`, async (route) => {
    const answer = await route.fetch()
    const body = await answer.text()
    await route.fulfill({ response: answer, body: body.replace('id="early-video"', '') })
  })
  release()
  await page.goto(address)
  await hasPicture(page, '[role="group"]')
  expect(await page.locator('.early-stage').count()).toBe(0)
  expect(problems).toEqual([])
  await close()
})

test('the app comes once, and does not wait for a video that does not', async () => {
  const { page, release, close } = await openWithoutApp()
  release()
  const html = await (await page.request.get(address)).text()
  expect(html).not.toMatch(/(src|href)="\/assets\/(index|vendor)-/)
  await page.route('**/media/**', () => undefined)
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'The match' }).waitFor()
  const scripts = page.locator('script[src*="/assets/index-"]')
  expect(await scripts.count()).toBe(1)
  await close()
})

test('a page that goes elsewhere leaves nothing of the early video behind', async () => {
  const { page, release, close } = await openWithoutApp()
  await page.route(/\/trpc\/.*video\.get/, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '[]' }),
  )
  await page.goto(address, { waitUntil: 'commit' })
  await hasPicture(page, '.early-stage')
  release()
  await page.getByRole('button', { name: /again/i }).first().waitFor()
  expect(await page.locator('.early-stage').isVisible()).toBe(false)
  await close()
})
