import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE, type SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside, showScheme } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

/** One after the other, within the pages that are there already. */
const TEN_LINKS = ['Home', 'Subscriptions', 'History', 'Explore', 'Library'].flatMap((name) => [
  name,
  name === 'Library' ? 'Studio' : 'Home',
])

const server = setUpHostedSite({ env: { RENDITIONS: '180' } })
let state: SavedState

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'mini')
  const long = await makeClip({
    path: join(server.dataFolder, 'long.mp4'),
    seconds: 40,
    frameRate: 5,
  })
  const short = await makeClip({ path: join(server.dataFolder, 'short.mp4'), seconds: 3 })
  await uploadClip(page, short, { title: 'The other match' })
  await uploadClip(page, long, { title: 'The long match' })
  // Each test begins at the beginning.
  await page.request.post('/trpc/history.setPaused', { data: { paused: true } })
  state = await page.context().storageState()
  await page.context().close()
})

/** A page on which the long match plays after a click on its card. */
async function playLong(options: { isPhone?: boolean; memory?: object } = {}) {
  const { isPhone = false } = options
  const { page } = await server.open({ isPhone, state })
  await page.addInitScript(
    (text) => {
      if (!localStorage.getItem('clutch-player')) localStorage.setItem('clutch-player', text)
    },
    JSON.stringify({ isMuted: true, bandwidth: 90_000_000, ...options.memory }),
  )
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  const media: string[] = []
  page.on('request', (request) => {
    if (/\.(mp4|m4s)$/.test(request.url())) media.push(request.url())
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'The long match' }).first().click()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5)
  await expect.poll(() => isPlaying(page)).toBe(true)
  const mini = page.getByRole('region', { name: 'Mini player' })
  return { page, mini, media, problems }
}

const timeOf = (page: Page) =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? -1)
const isPlaying = (page: Page) =>
  page.evaluate(() => document.querySelector('video')?.paused === false)
const cornerOf = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('[data-mini]')?.getBoundingClientRect()
    if (!box) return null
    const row = box.top + box.bottom < innerHeight ? 'top' : 'bottom'
    return `${row} ${box.left + box.right < innerWidth ? 'left' : 'right'}`
  })
/** Through the logo and the sidebar, as a reader goes: the watch page has none. */
async function goTo(page: Page, name: string): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  if (new URL(page.url()).pathname.startsWith('/video/')) {
    await page.getByRole('link', { name: 'Clutch, home' }).click()
    await sidebar.waitFor()
  }
  await sidebar.getByRole('link', { name, exact: true }).click()
}

test('the same video plays on through ten pages, and back on its own', async () => {
  const { page, mini, media, problems } = await playLong()
  // All of it has come: whatever is asked for from here on would be asked for twice.
  await page.waitForFunction(() => {
    const video = document.querySelector('video')
    return video !== null && video.buffered.length === 1 && video.buffered.end(0) > 39
  })
  const asked = media.length
  await page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    const events: string[] = []
    // Whatever holds playback up for a moment raises one of them.
    const holdUps = [
      'pause',
      'play',
      'waiting',
      'playing',
      'seeking',
      'emptied',
      'stalled',
      'error',
    ]
    for (const type of holdUps) video.addEventListener(type, () => events.push(type))
    /** Of each picture that was shown, its time in the video. */
    const frames: number[] = []
    const note = (_now: number, { mediaTime }: { mediaTime: number }) => {
      frames.push(mediaTime)
      video.requestVideoFrameCallback(note)
    }
    video.requestVideoFrameCallback(note)
    Object.assign(window, { watched: { video, events, frames } })
  })
  const look = () =>
    page.evaluate(() => {
      type Watched = { video: HTMLVideoElement; events: string[]; frames: number[] }
      const { video, events, frames } = (window as unknown as { watched: Watched }).watched
      return {
        isSame: document.querySelector('video') === video,
        count: document.querySelectorAll('video').length,
        events,
        // In one go, without a jump.
        rangesPlayed: video.played.length,
        isForward: frames.every((time, index) => index === 0 || time > (frames[index - 1] ?? 0)),
        frameCount: frames.length,
      }
    })
  const unbroken = { isSame: true, count: 1, events: [], rangesPlayed: 1, isForward: true }
  for (const name of TEN_LINKS) {
    const { frameCount } = await look()
    await goTo(page, name)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    await mini.waitFor()
    await expect.poll(async () => (await look()).frameCount).toBeGreaterThan(frameCount)
    expect(await look()).toMatchObject(unbroken)
    expect(media.length).toBe(asked)
  }

  const before = await timeOf(page)
  await mini.getByRole('link', { name: 'Back to The long match' }).click()
  await page.getByRole('heading', { name: 'The long match', level: 1 }).waitFor()
  await expect.poll(() => mini.count()).toBe(0)
  expect(await timeOf(page)).toBeGreaterThanOrEqual(before)
  expect(await isPlaying(page)).toBe(true)
  const slot = await page.getByRole('region', { name: 'Player' }).boundingBox()
  expect(slot?.width).toBeGreaterThan(700)
  expect(media.length).toBe(asked)
  expect(problems).toEqual([])
})

longTest('the browser’s Back shows it in full again', async () => {
  const { page, mini } = await playLong()
  await page.getByRole('link', { name: 'Clutch, home' }).click()
  await mini.waitFor()
  const before = await timeOf(page)
  await page.goBack()
  await page.getByRole('heading', { name: 'The long match', level: 1 }).waitFor()
  expect(await mini.count()).toBe(0)
  expect(await timeOf(page)).toBeGreaterThanOrEqual(before)
})

longTest('it is moved by dragging and by keyboard, and its corner is remembered', async () => {
  const { page, mini } = await playLong()
  await goTo(page, 'Explore')
  await mini.waitFor()
  expect(await cornerOf(page)).toBe('bottom left')
  const box = await mini.boundingBox()
  if (!box) throw new Error('There is no mini player')
  await page.mouse.move(box.x + 100, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(1200, 150, { steps: 6 })
  await page.mouse.up()
  await expect.poll(() => cornerOf(page)).toBe('top right')
  // The drag was no click on the picture.
  expect(new URL(page.url()).pathname).toBe('/explore')

  const handle = mini.getByRole('button', { name: 'Move the mini player' })
  await handle.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => cornerOf(page)).toBe('bottom right')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => cornerOf(page)).toBe('bottom right')
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
  }
  // Messages stand above it.
  await goTo(page, 'Home')
  await page.getByRole('button', { name: 'Actions for The other match' }).first().click()
  await page.getByRole('menuitem', { name: 'Watch later' }).click()
  const toast = await page.getByText('Saved to Watch later').boundingBox()
  const at = await mini.boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(at?.y ?? 0)
  await page.reload()
  expect(await mini.count()).toBe(0)
  await page.goto('/')
  await page.getByRole('link', { name: 'The long match' }).first().click()
  await expect.poll(() => isPlaying(page)).toBe(true)
  await goTo(page, 'Explore')
  await expect.poll(() => cornerOf(page)).toBe('bottom right')
})

longTest('by keyboard alone it is paused, closed and gives the focus to the page', async () => {
  const { page, mini } = await playLong()
  await goTo(page, 'Explore')
  await mini.getByRole('button', { name: 'Pause', exact: true }).focus()
  await page.keyboard.press('Enter')
  await mini.getByRole('button', { name: 'Play', exact: true }).waitFor()
  // Beyond it the keys are the page's.
  await page.getByRole('main').focus()
  await page.keyboard.press('k')
  expect(await isPlaying(page)).toBe(false)
  await mini.getByRole('link', { name: 'Back to The long match' }).focus()
  await page.keyboard.press('k')
  await expect.poll(() => isPlaying(page)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => mini.count()).toBe(0)
  expect(await page.locator(':focus').getAttribute('id')).toBe('content')
  expect(await page.locator('video').count()).toBe(0)
})

longTest('another video replaces it, and a paused one is not taken along', async () => {
  const { page, mini } = await playLong()
  await goTo(page, 'Home')
  await mini.waitFor()
  await page.getByRole('article').getByRole('link', { name: 'The other match' }).first().click()
  await page.getByRole('heading', { name: 'The other match', level: 1 }).waitFor()
  await page.locator('video[aria-label="The other match"]').waitFor()
  expect(await page.locator('video').count()).toBe(1)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
  await goTo(page, 'Explore')
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  expect(await mini.count()).toBe(0)
  expect(await page.locator('video').count()).toBe(0)
})

longTest('turned off in the settings, leaving the page ends it', async () => {
  const { page, mini } = await playLong()
  await page.goto('/settings')
  const choice = page.getByRole('switch', { name: /mini player/ })
  await choice.uncheck()
  await goTo(page, 'Home')
  await page.getByRole('link', { name: 'The long match' }).first().click()
  await expect.poll(() => isPlaying(page)).toBe(true)
  await goTo(page, 'Explore')
  await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
  expect(await mini.count()).toBe(0)
  expect(await page.locator('video').count()).toBe(0)
})

longTest('on a phone it is a bar above the tabs', async () => {
  const { page, mini } = await playLong({ isPhone: true })
  await page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name: 'Home' }).click()
  await mini.waitFor()
  await mini.getByText('The long match').waitFor()
  const bar = await mini.boundingBox()
  const tabs = await page.getByRole('navigation', { name: 'Tabs' }).boundingBox()
  expect(bar?.width).toBe(PHONE.width)
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(tabs?.y)
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
  }
  expect(await findOutside(page)).toEqual([])
  await mini.getByRole('button', { name: 'Pause', exact: true }).click()
  await mini.getByRole('button', { name: 'Play', exact: true }).click()
  expect(await isPlaying(page)).toBe(true)
  await mini.getByText('The long match').click()
  await page.getByRole('heading', { name: 'The long match', level: 1 }).waitFor()
  expect(await isPlaying(page)).toBe(true)
  await page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name: 'Home' }).click()
  await mini.getByRole('button', { name: 'Close the mini player' }).click()
  await expect.poll(() => mini.count()).toBe(0)
})
