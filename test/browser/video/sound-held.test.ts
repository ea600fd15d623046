import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, PHONE, startBrowser } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { type HostedSite, openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

let server: HostedSite
/** It lets no page make a sound that no user has touched, as browsers do by default. */
let browser: Browser
const folder = setUpFolder('sound')
let videoId: number

beforeAll(async () => {
  server = await openHostedSite({ env: { RENDITIONS: '' } })
  browser = await startBrowser(['--autoplay-policy=document-user-activation-required'])
  const { page } = await openPage(browser, { origin: server.origin })
  await register(page, 'nova')
  const path = await makeClip({ path: join(folder, 'clip.mp4'), seconds: 30, frameRate: 5 })
  videoId = await uploadClip(page, path, { title: 'From the chat' })
  await until(async () => {
    const video = await (await page.request.get(`/api/videos/${videoId}`)).json()
    return video.videoUrl !== null
  })
  await page.context().close()
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

/**
 * Opens the video and waits until the browser has refused to play it: whatever a test asks of the page itself counts
 * as a gesture, which would allow the sound.
 */
async function openRefused(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = function () {
      const started = play.call(this)
      started.catch((error: DOMException) => console.info(error.name))
      return started
    }
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })
  })
  const refusal = page.waitForEvent('console', (message) => message.text() === 'NotAllowedError')
  await page.goto(`/video/${videoId}`)
  await refusal
  await soundButton(page).waitFor()
}

const stateOf = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    return (
      video && { isPaused: video.paused, isMuted: video.muted, hasMoved: video.currentTime > 0 }
    )
  })
const soundButton = (page: Page) => page.getByRole('button', { name: 'Turn on sound' })
const rememberedMute = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('clutch-player') ?? '{}').isMuted ?? false)

test('a link plays muted where the browser holds the sound back, and a tap brings it', async () => {
  const { page, problems } = await openPage(browser, { origin: server.origin, viewport: PHONE })
  await openRefused(page)
  await expect.poll(() => stateOf(page)).toEqual({ isPaused: false, isMuted: true, hasMoved: true })
  expect(await rememberedMute(page)).toBe(false)
  expect((await soundButton(page).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await auditPage(page, { within: '[role="group"]' })).toEqual([])
  await soundButton(page).click()
  await soundButton(page).waitFor({ state: 'detached' })
  expect(await stateOf(page)).toEqual({ isPaused: false, isMuted: false, hasMoved: true })
  expect(await rememberedMute(page)).toBe(false)
  expect(problems).toEqual([])
  await page.context().close()
})

longTest('the mute key brings the sound as well', async () => {
  const { page } = await openPage(browser, { origin: server.origin })
  await openRefused(page)
  await page.keyboard.press('m')
  await soundButton(page).waitFor({ state: 'detached' })
  expect(await stateOf(page)).toMatchObject({ isPaused: false, isMuted: false })
  await page.context().close()
})

longTest(
  'who wants no video to start by itself, or nothing to move, presses Play, and it has its sound',
  async () => {
    const { page } = await openPage(browser, { origin: server.origin })
    await openRefused(page)
    const player = page.getByRole('group', { name: 'Video player' })
    await player.hover()
    await player.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Play when opened' }).click()
    await page.reload()
    const play = player.getByRole('button', { name: 'Play (k)' })
    await play.waitFor()
    expect(await stateOf(page)).toMatchObject({ isPaused: true, isMuted: false })
    await play.click()
    await expect.poll(() => stateOf(page)).toMatchObject({ isPaused: false, isMuted: false })
    expect(await soundButton(page).count()).toBe(0)
    await page.evaluate(() => localStorage.clear())
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await play.waitFor()
    expect(await stateOf(page)).toMatchObject({ isPaused: true, isMuted: false })
    await page.context().close()
  },
)
