import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { setConnected } from '#test/support/connection.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

const SECONDS = 20
/** As long as the player says that it reconnects. */
const TIMEOUT_MS = 30_000

const server = setUpHostedSite()
let videoId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const clip = await makeClip({
    path: join(server.dataFolder, 'match.mp4'),
    seconds: SECONDS,
    frameRate: 10,
  })
  videoId = await uploadClip(page, clip, { title: 'The match' })
  await page.context().close()
})

/** The file, as where there are no renditions, muted. */
async function openFile(path: string) {
  const context = await server.browser.newContext({ baseURL: server.origin, viewport: DESKTOP })
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'MediaSource')
    HTMLVideoElement.prototype.canPlayType = (type) => (/mpegurl/i.test(type) ? '' : 'maybe')
    localStorage.setItem('clutch-player', JSON.stringify({ isMuted: true, startsItself: false }))
  })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(path)
  await page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>('[role="group"] video')
    return (video?.readyState ?? 0) >= 2
  })
  return { page, close: () => context.close() }
}

const play = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.play())

const timeOf = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)

const playsFrom = (page: Page, seconds: number) =>
  expect.poll(() => timeOf(page), { timeout: 20_000 }).toBeGreaterThan(seconds)

/** What WebKit does when the line is cut: it has an error, and says of itself that it can play. */
const cutAsInWebKit = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    const claim = (name: 'error' | 'readyState', value: unknown) =>
      Object.defineProperty(video, name, { configurable: true, get: () => value })
    claim('error', { code: 2, message: '' })
    claim('readyState', 4)
    video.addEventListener(
      'loadstart',
      () => {
        Reflect.deleteProperty(video, 'error')
        Reflect.deleteProperty(video, 'readyState')
      },
      { once: true },
    )
    // It stands still without having been paused.
    video.playbackRate = 0
    video.dispatchEvent(new Event('error'))
  })

longTest(
  'a browser that keeps what it has with its error says that it reconnects, and plays on',
  async () => {
    const { page, close } = await openFile(`/video/${videoId}`)
    await play(page)
    await playsFrom(page, 0.3)
    await setConnected(page, false)
    await cutAsInWebKit(page)
    await page.getByText('Reconnecting…').waitFor()
    const { currentTime, isPaused } = await page
      .locator('video')
      .evaluate(({ currentTime, paused }: HTMLVideoElement) => ({ currentTime, isPaused: paused }))
    expect(isPaused).toBe(false)
    await setConnected(page, true)
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
    await playsFrom(page, currentTime + 0.5)
    await close()
  },
)

test.each(isLongForm ? ['video', 'embed'] : [])(
  'on /%s media that never comes is an error within 30 s, and plays on when tried again',
  async (kind) => {
    const { page, close } = await openFile(`/${kind}/${videoId}`)
    await play(page)
    await playsFrom(page, 1)
    const before = await timeOf(page)
    await page.route('**/media/**', (route) => route.abort('connectionreset'))
    await cutAsInWebKit(page)
    await page.getByText('Reconnecting…').waitFor()
    await page.clock.fastForward(TIMEOUT_MS)
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    expect(await page.getByText('Reconnecting…').count()).toBe(0)
    if (kind === 'video') {
      await page.getByRole('heading', { name: 'Video playback error' }).waitFor()
      await page.getByRole('button', { name: 'Refresh page' }).waitFor()
    }
    await page.unroute('**/media/**')
    await again.click()
    await playsFrom(page, before)
    expect(await timeOf(page)).toBeLessThan(before + 5)
    await close()
  },
)

test('media that never came at all is an error within 30 s, and begins when tried again', async () => {
  const { page, close } = await openFile(`/video/${videoId}`)
  await page.route('**/media/**.mp4', (route) => route.abort('connectionreset'))
  await page.reload()
  await page.getByText('Reconnecting…').waitFor()
  await page.clock.fastForward(TIMEOUT_MS)
  const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/media/**.mp4')
  await again.click()
  await play(page)
  await playsFrom(page, 0.3)
  await close()
})
