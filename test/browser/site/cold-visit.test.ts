import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { uploadFrom } from '#test/support/page-upload.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '144' } })
let videoId: number
let channelId: number

beforeAll(async () => {
  const { page } = await server.open()
  channelId = await register(page, 'nova')
  const path = join(server.dataFolder, 'match.mp4')
  const clip = await makeClip({ path, width: 480, height: 270, seconds: 8 })
  await page.goto('/')
  videoId = await uploadFrom(page, { path: clip, title: 'The match' })
  const titles = Array.from({ length: 20 }, (_, index) => `Round ${index + 1}`)
  await writeRows(server, (db) =>
    addVideos(
      db,
      titles.map((title) => ({ userId: channelId, title })),
    ),
  )
  await page.context().close()
})

/** A page of a visitor who was never here, whose app does not run before `letRun` is called. */
async function openCold(viewport: typeof DESKTOP) {
  const opened = await server.open({ viewport, isNew: true })
  const { page } = opened
  const questions: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/trpc/')) questions.push(pathname)
  })
  await page.addInitScript(() => {
    const moved: number[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        moved.push((entry as unknown as { value: number }).value)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  let letRun = () => {}
  const mayRun = new Promise<void>((resolve) => {
    letRun = resolve
  })
  await page.route(/\/assets\/index-.*\.js/, async (route) => {
    await mayRun
    await route.continue()
  })
  const moved = () => page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved)
  return { ...opened, questions, letRun, moved }
}

/** Calls for what other people do, which the page makes once it is drawn. */
const LIVE = ['/trpc/live.onVideo', '/trpc/reaction.list']

const COLD: [string, typeof DESKTOP, () => string, string, string][] = [
  ['home', PHONE, () => '/', '.skeleton-card', 'article img, article [class*=picture]'],
  ['a video', DESKTOP, () => `/video/${videoId}`, '.skeleton-screen', '[role="group"] video'],
  ['home', DESKTOP, () => '/', '.skeleton-card', 'article img, article [class*=picture]'],
  ['a video', PHONE, () => `/video/${videoId}`, '.skeleton-screen', '[role="group"] video'],
]

test.each(COLD.slice(0, isLongForm ? COLD.length : 2))(
  '%s shows its boxes before the app runs, which asks nothing and moves nothing',
  async (_, viewport, path, box, selector) => {
    const { page, problems, questions, letRun, moved } = await openCold(viewport)
    await page.goto(path(), { waitUntil: 'commit' })
    const first = page.locator(box).first()
    await first.waitFor()
    await page.waitForFunction(() => {
      const header = document.querySelector('.skeleton-header')
      return header && getComputedStyle(header).position === 'fixed'
    })
    const before = await first.boundingBox()
    const title = path() === '/' ? page.locator('.skeleton-card b').first() : undefined
    const [text, titleBefore] = [await title?.textContent(), await title?.boundingBox()]
    const picture = path() === '/' ? undefined : page.locator('.skeleton-screen img')
    await picture?.waitFor()
    letRun()
    await page.getByRole('main').waitFor()
    const drawn = await page.locator(selector).first().boundingBox()
    expect(drawn?.x).toBeCloseTo(before?.x ?? 0, 0)
    expect(drawn?.width).toBeCloseTo(before?.width ?? 0, 0)
    if (picture) expect(drawn?.y).toBeCloseTo(before?.y ?? 0, 0)
    if (text) {
      const heading = page.getByRole('heading', { name: text, exact: true }).first()
      const { x, y } = (await heading.boundingBox()) ?? {}
      expect([x, y]).toEqual([titleBefore?.x, titleBefore?.y])
    }
    expect(await page.locator('.skeleton').count()).toBe(0)
    await page.waitForLoadState('networkidle')
    expect(questions.filter((path) => !LIVE.includes(path))).toEqual([])
    expect((await moved()).reduce((sum, value) => sum + value, 0)).toBeLessThan(0.001)
    expect(problems).toEqual([])
  },
)

test('the player takes over the video of the page, whose file is not requested anew', async () => {
  const { page, letRun } = await openCold(DESKTOP)
  const files = await watchFiles(page)
  await page.goto(`/video/${videoId}`, { waitUntil: 'commit' })
  const served = page.locator('.skeleton video')
  await served.waitFor({ state: 'attached' })
  await served.evaluate((video: HTMLVideoElement) => {
    video.dataset.served = 'yes'
  })
  await expect.poll(() => served.evaluate((video: HTMLVideoElement) => video.readyState)).toBe(4)
  letRun()
  const video = page.locator('[role="group"] video')
  expect(await video.getAttribute('data-served')).toBe('yes')
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).not.toBe(0)
  expect(files).toHaveLength(1)
})

test('a phone loads one picture of the video whose page it opens', async () => {
  const find = async () => (await fetch(`${server.origin}/api/videos/${videoId}`)).json()
  await expect.poll(async () => (await find()).cardUrl).toBeTruthy()
  const { page, letRun } = await openCold(PHONE)
  letRun()
  const pictures: string[] = []
  page.on('request', (request) => {
    if (/^\/media\/.*\.(webp|jpg)$/.test(new URL(request.url()).pathname))
      pictures.push(request.url())
  })
  await page.goto(`/video/${videoId}`)
  await page.getByRole('heading', { name: 'The match' }).first().waitFor()
  await page.locator('[role="group"] video').waitFor()
  await page.waitForLoadState('networkidle')
  expect(pictures).toHaveLength(1)
})

test('the file is not in the page of one who saves data or begins elsewhere', async () => {
  const pageOf = async (query: string, headers = {}) =>
    (await fetch(`${server.origin}/video/${videoId}${query}`, { headers })).text()
  expect(await pageOf('')).toContain('<video hidden')
  expect(await pageOf('?t=4')).not.toContain('<video hidden')
  expect(await pageOf('', { 'save-data': 'on' })).not.toContain('<video hidden')
})

longTest(
  'a card under the pointer loads the beginning of its file, which the player continues',
  async () => {
    const { page, letRun } = await openCold(DESKTOP)
    letRun()
    const files = await watchFiles(page)
    await page.goto('/')
    const card = page.getByRole('link', { name: 'The match', exact: true })
    await card.hover()
    await expect.poll(() => files).toHaveLength(1)
    await card.click()
    const video = page.locator('[role="group"] video')
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime)).not.toBe(0)
    expect(files).toHaveLength(1)
  },
)

/** Requests for a video's file from its beginning, on a fast connection. */
async function watchFiles(page: Page): Promise<string[]> {
  const memory = JSON.stringify({ isMuted: true, bandwidth: 50e6 })
  await page.addInitScript((text) => localStorage.setItem('clutch-player', text), memory)
  const files: string[] = []
  page.on('request', async (request) => {
    if (!/^\/media\/.*\.mp4$/.test(new URL(request.url()).pathname)) return
    const { range } = await request.allHeaders()
    if (range === 'bytes=0-') files.push(request.url())
  })
  return files
}

longTest('a channel asks nothing when it is opened by its address', async () => {
  const { page, questions, letRun } = await openCold(DESKTOP)
  letRun()
  await page.goto(`/profile/${channelId}`)
  await page.getByRole('heading', { name: 'The nova' }).waitFor()
  await page.getByRole('article').first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(questions).toEqual([])
})

longTest('a member is shown their own page: what visitors see does not stand in it', async () => {
  const { page } = await server.open()
  await register(page, 'wilma')
  const text = await (await page.request.get('/')).text()
  expect(text).not.toContain('Round 1')
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  await page.getByRole('article').first().waitFor()
})

test('what is taken away is not in the page any more', async () => {
  expect(await (await fetch(server.origin)).text()).toContain('Round 3"')
  await writeRows(server, (db) =>
    db.updateTable('videos').set({ contentApproved: 0 }).where('title', '=', 'Round 3').execute(),
  )
  await expect.poll(async () => (await fetch(server.origin)).text()).not.toContain('Round 3"')
})
