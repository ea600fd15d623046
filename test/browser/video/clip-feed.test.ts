import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { PHONE, type SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { setSafeArea, swipe, turnPhone } from '#test/support/finger.ts'
import { longTest } from '#test/support/long-form.ts'
import {
  auditPage,
  findOutside,
  keepPicture,
  showScheme,
  watchLayout,
} from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'

const TITLES = ['First shot', 'Second shot', 'Third shot', 'Fourth shot', 'Fifth shot']

const server = setUpHostedSite({ env: { RENDITIONS: '180' } })
let state: SavedState

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'swiper')
  const path = await makeClip({
    path: join(server.dataFolder, 'match.mp4'),
    seconds: 40,
    frameRate: 10,
  })
  const videoId = await uploadClip(page, path, { title: 'The whole match' })
  for (const [index, title] of TITLES.entries()) {
    const data = { videoId, title, startSeconds: 4 * index, endSeconds: 4 * index + 3 }
    await page.request.post('/api/clips', { data })
  }
  state = await page.context().storageState()
  await page.context().close()
})

/** What each element that is there does, from the top. */
const videosOf = (page: Page) =>
  page.locator('video').evaluateAll((videos: HTMLVideoElement[]) =>
    videos.map(({ paused, muted, currentTime }) => ({
      isPlaying: !paused && currentTime > 0,
      muted,
      second: Math.floor(currentTime),
    })),
  )
const playing = async (page: Page) =>
  (await videosOf(page)).flatMap(({ isPlaying, second }) => (isPlaying ? [second] : []))

async function openFeed(options: { reducedMotion?: 'reduce'; savesData?: boolean } = {}) {
  const { page } = await server.open({ isPhone: true, state })
  const { reducedMotion = 'no-preference' } = options
  await page.emulateMedia({ reducedMotion })
  if (options.savesData) {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', {
        value: Object.assign(new EventTarget(), { saveData: true }),
      }),
    )
  }
  await page.goto('/clips')
  await page.getByRole('heading', { name: 'Fifth shot' }).waitFor()
  return page
}

test('the clip that is seen plays, silent until a tap, by keys and swipes on to a quiet end', async () => {
  const page = await openFeed()
  await expect.poll(() => playing(page)).toEqual([expect.toSatisfy((at) => at >= 16 && at < 19)])
  // What plays, and the two that come.
  expect(await videosOf(page)).toHaveLength(3)
  expect((await videosOf(page)).every(({ muted }) => muted)).toBe(true)
  await page.getByRole('button', { name: 'Turn the sound on' }).tap()
  await expect.poll(async () => (await videosOf(page))[0]?.muted).toBe(false)
  expect(await findOutside(page)).toEqual([])
  expect(await auditPage(page)).toEqual([])
  await page.keyboard.press('j')
  await expect.poll(() => playing(page)).toEqual([expect.toSatisfy((at) => at >= 12 && at < 15)])
  await page.waitForURL(/\?at=4$/)
  await page.getByRole('button', { name: 'Like, 0' }).nth(1).tap()
  await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
  const feed = page.getByRole('feed', { name: 'Clips' })
  await feed.evaluate((list) => list.scrollTo({ left: list.scrollWidth, behavior: 'instant' }))
  await page.getByText('You have seen every clip.').waitFor()
  await expect.poll(() => playing(page)).toEqual([])
  // Whoever comes back finds the place.
  await page.keyboard.press('k')
  // It has come to rest there.
  await expect.poll(() => playing(page)).toHaveLength(1)
  await page.getByRole('heading', { name: 'First shot' }).getByRole('link').click()
  await page.waitForURL('**/clip/1')
  await page.goBack()
  await expect.poll(() => playing(page)).toEqual([expect.toSatisfy((at) => at < 3)])
})

test.each([
  { width: 844, height: 390 },
  { width: 667, height: 375 },
  { width: 900, height: 600 },
])('at $width × $height its buttons lie beside each other, in sight', async (viewport) => {
  const page = await openFeed()
  await page.setViewportSize(viewport)
  await keepPicture(page, `feed ${viewport.width}`)
  const current = page.getByRole('article').first()
  const all = [
    ...(await current.getByRole('button', { name: /^Like|^Share|^Comments|^Clip/ }).all()),
    ...(await current.getByRole('link', { name: /^Whole video|swiper/ }).all()),
    ...(await page.getByRole('button', { name: /^(Previous|Next) clip$/ }).all()),
  ]
  const boxes: { x: number; y: number; width: number; height: number }[] = []
  for (const one of all) {
    const box = (await one.isVisible()) && (await one.boundingBox())
    if (box) boxes.push(box)
  }
  expect(boxes.length).toBeGreaterThanOrEqual(6)
  for (const [index, a] of boxes.entries()) {
    expect(a.y).toBeGreaterThanOrEqual(0)
    expect(a.y + a.height).toBeLessThanOrEqual(viewport.height)
    for (const b of boxes.slice(index + 1)) {
      const isApart =
        a.x + a.width <= b.x ||
        b.x + b.width <= a.x ||
        a.y + a.height <= b.y ||
        b.y + b.height <= a.y
      expect(isApart, JSON.stringify([a, b])).toBe(true)
    }
  }
})

const MIDDLE = { x: PHONE.width / 2, y: 380 }
/** Finds the clip that is on the screen. */
const shown = (page: Page) => page.locator('article[data-current]')

test('on a phone a wide clip fills 60 % of the height, and a tap shows the whole picture', async () => {
  const page = await openFeed()
  await expect.poll(() => playing(page)).toHaveLength(1)
  const feed = await page.getByRole('feed').boundingBox()
  const tabs = await page.getByRole('navigation', { name: 'Tabs' }).boundingBox()
  const header = await page.getByRole('banner').boundingBox()
  if (!feed || !tabs || !header) throw new Error('The page has no boxes.')
  expect([feed.y, feed.y + feed.height]).toEqual([header.height, tabs.y])
  const picture = () =>
    shown(page)
      .locator('video')
      .evaluate((video) => ({
        share: video.clientHeight / (video.parentElement?.clientHeight ?? 1),
        fit: getComputedStyle(video).objectFit,
      }))
  expect(await picture()).toEqual({ share: expect.closeTo(0.6, 2), fit: 'cover' })
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
    await keepPicture(page, `feed 390 ${scheme}`)
  }
  const press = shown(page).getByRole('button', { name: 'show the whole picture' })
  await press.tap()
  expect(await picture()).toEqual({ share: 1, fit: 'contain' })
  await shown(page).getByRole('button', { name: 'Pause' }).tap()
  await expect.poll(() => playing(page)).toEqual([])
  await shown(page).getByRole('button', { name: 'Play Fifth shot' }).tap()
  expect((await picture()).fit).toBe('contain')
  // The next clip is cropped again.
  await page.keyboard.press('j')
  await shown(page).getByRole('button', { name: 'Show the whole picture' }).waitFor()
  expect((await picture()).fit).toBe('cover')
})

test('the buttons of the feed are large and within reach of a thumb', async () => {
  const page = await openFeed()
  const acts = shown(page).getByRole('button', { name: /^(Like|Comments|Clip|Share)/ })
  expect(await acts.count()).toBe(4)
  for (const one of [...(await acts.all()), ...(await shown(page).getByRole('link').all())]) {
    const box = await one.boundingBox()
    const name = (await one.textContent()) ?? ''
    expect(box?.y, name).toBeGreaterThanOrEqual(PHONE.height / 2)
    expect(box?.height, name).toBeGreaterThanOrEqual(44)
    expect(box?.width, name).toBeGreaterThanOrEqual(44)
  }
})

test('liking a clip makes the phone vibrate, except with reduced motion', async () => {
  const page = await openFeed()
  await page.evaluate(() => {
    const felt: number[] = []
    Object.assign(window, { felt })
    navigator.vibrate = (pattern) => felt.push(Number(pattern)) > 0
  })
  const felt = () => page.evaluate(() => (window as unknown as { felt: number[] }).felt.length)
  await shown(page).getByRole('button', { name: 'Like, 0' }).tap()
  await shown(page).getByRole('button', { name: 'Like, 1', pressed: true }).tap()
  await shown(page).getByRole('button', { name: 'Like, 0' }).waitFor()
  expect(await felt()).toBe(1)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await shown(page).getByRole('button', { name: 'Like, 0' }).tap()
  await shown(page).getByRole('button', { name: 'Like, 1', pressed: true }).tap()
  await shown(page).getByRole('button', { name: 'Like, 0' }).waitFor()
  expect(await felt()).toBe(1)
})

test('swipes go to the next and previous clip, open the comments and close the feed', async () => {
  const page = await openFeed()
  await page.goto('/library')
  await page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name: 'Clips' }).tap()
  await shown(page).getByRole('heading', { name: 'Fifth shot' }).waitFor()
  const { x, y } = MIDDLE
  const hint = shown(page).getByText('Swipe for the next clip')
  await hint.waitFor()
  await swipe(page, { x: 340, y }, { x: 40, y })
  await shown(page).getByRole('heading', { name: 'Fourth shot' }).waitFor()
  expect(await hint.count()).toBe(0)
  await swipe(page, { x: 40, y }, { x: 340, y })
  await shown(page).getByRole('heading', { name: 'Fifth shot' }).waitFor()
  await swipe(page, MIDDLE, { x, y: y - 200 })
  const sheet = page.getByRole('dialog', { name: 'Comments' })
  await sheet.getByRole('textbox').fill('What a shot')
  // The browser would take a tap right after such a fast swipe only to stop a fling.
  await sheet.getByRole('button', { name: 'Comment', exact: true }).click()
  await sheet.getByRole('article').getByText('What a shot').waitFor()
  const box = await sheet.boundingBox()
  expect(box && [Math.round(box.x), Math.round(box.width), Math.round(box.y + box.height)]).toEqual(
    [0, PHONE.width, PHONE.height],
  )
  expect(await findOutside(page)).toEqual([])
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
    await keepPicture(page, `feed comments 390 ${scheme}`)
  }
  // The clip goes on playing behind the sheet.
  expect(await playing(page)).toHaveLength(1)
  const top = (box?.y ?? 0) + 12
  await swipe(page, { x, y: top }, { x, y: top + 200 })
  await sheet.waitFor({ state: 'detached' })
  await shown(page).getByRole('button', { name: 'Comments, 1' }).click()
  await sheet.waitFor()
  await sheet.getByRole('button', { name: 'Close comments' }).click()
  await sheet.waitFor({ state: 'detached' })
  // Escape closes the sheet only.
  await shown(page).getByRole('button', { name: 'Comments, 1' }).click()
  await sheet.waitFor()
  const { pathname } = new URL(page.url())
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(pathname)
  // This movement is too short for a swipe.
  await swipe(page, MIDDLE, { x, y: y + 40 })
  await shown(page).getByRole('heading', { name: 'Fifth shot' }).waitFor()
  await swipe(page, MIDDLE, { x, y: y + 260 })
  await page.waitForURL('**/library')
})

test('a phone turned sideways shows the clip in full screen until it is turned back', async () => {
  const page = await openFeed()
  await turnPhone(page, false)
  await page.getByRole('button', { name: 'Turn the sound on' }).tap()
  await setSafeArea(page, { left: 47, right: 47 })
  await turnPhone(page, true)
  await page.waitForFunction(() => document.fullscreenElement !== null)
  const feed = page.getByRole('feed')
  await expect.poll(() => feed.boundingBox()).toEqual({ x: 0, y: 0, width: 844, height: 390 })
  for (const one of await shown(page)
    .getByRole('button', { name: /^(Like|Clip|Share)/ })
    .all()) {
    const box = await one.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(844 - 47)
  }
  const picture = await shown(page).locator('video').boundingBox()
  expect(picture).toEqual({ x: 0, y: 0, width: 844, height: 390 })
  const close = page.getByRole('button', { name: 'Close the clips' })
  const closeBox = await close.boundingBox()
  expect(Math.min(closeBox?.width ?? 0, closeBox?.height ?? 0)).toBeGreaterThanOrEqual(44)
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
  }
  await turnPhone(page, false)
  await page.waitForFunction(() => document.fullscreenElement === null)
  await shown(page).getByRole('heading', { name: 'Fifth shot' }).waitFor()
  await turnPhone(page, true)
  await close.tap()
  await page.waitForURL((url) => url.pathname !== '/clips')
})

test('the Clip button opens the whole video with the form for a new clip', async () => {
  const page = await openFeed()
  await shown(page).getByRole('button', { name: /^Clip/ }).tap()
  await page.waitForURL('**/video/*?t=16')
  await page.getByRole('form', { name: /clip/i }).or(page.locator('[data-maker]')).first().waitFor()
})

test('on a desktop the mouse wheel scrolls to the next clip below', async () => {
  const { page } = await server.open({ viewport: { width: 420, height: 800 }, state })
  await page.goto('/clips')
  await shown(page).getByRole('heading', { name: 'Fifth shot' }).waitFor()
  await page.mouse.move(200, 400)
  await page.mouse.wheel(0, 500)
  await shown(page).getByRole('heading', { name: 'Fourth shot' }).waitFor()
  await page
    .getByRole('button', { name: /^Comments/ })
    .nth(1)
    .click()
  await page.getByRole('dialog', { name: 'Comments' }).waitFor()
})

test('on a wide screen comments open beside the clip, which goes on playing', async () => {
  const { page } = await server.open({ state })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const findShifts = await watchLayout(page)
  await page.goto('/clips?at=3')
  const panel = page.getByRole('complementary', { name: 'Comments on Third shot' })
  const button = shown(page).getByRole('button', { name: /^Comments/ })
  await shown(page).getByRole('button', { name: 'Play Third shot' }).click()
  await expect.poll(() => playing(page)).toHaveLength(1)
  await button.focus()
  await page.keyboard.press('Enter')
  await panel.getByRole('textbox').waitFor()
  expect(new URL(page.url()).pathname).toBe('/clips')
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await expect.poll(() => panel.evaluate((one) => one === document.activeElement)).toBe(true)
  const [clip, comments] = [await shown(page).boundingBox(), await panel.boundingBox()]
  expect((clip?.x ?? 0) + (clip?.width ?? 0)).toBeLessThanOrEqual(comments?.x ?? 0)
  expect(await playing(page)).toHaveLength(1)
  await panel.getByRole('textbox').fill('Beside it')
  // The arrow keys move in the text, and Escape keeps what is written.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Comment', exact: true }).click()
  await panel.getByRole('article').getByText('Beside it').waitFor()
  await shown(page).getByRole('heading', { name: 'Third shot' }).waitFor()
  expect(await findShifts()).toEqual([])
  for (const scheme of ['dark', 'light']) {
    await showScheme(page, scheme)
    expect(await auditPage(page)).toEqual([])
    await keepPicture(page, `feed comments 1440 ${scheme}`)
  }
  expect(await findOutside(page)).toEqual([])
  // It stays open for the next clip.
  await page.getByRole('button', { name: 'Next clip' }).click()
  const next = page.getByRole('complementary', { name: 'Comments on Second shot' })
  await next.getByText('No comments yet').waitFor()
  await next.getByRole('textbox').focus()
  await page.keyboard.press('Escape')
  await next.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  await button.click()
  await next.getByRole('textbox').fill('Half a thought')
  await page.getByRole('button', { name: 'Previous clip' }).click()
  await panel.getByText('Beside it').waitFor()
  expect(await panel.getByRole('textbox').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Next clip' }).click()
  await next.waitFor()
  expect(await next.getByRole('textbox').inputValue()).toBe('Half a thought')
  await next.getByRole('button', { name: 'Cancel' }).click()
  await next.getByRole('button', { name: 'Close comments' }).click()
  await next.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/clips')
})

longTest(
  'with saved data only a pressed clip is loaded, and where motion is reduced none begins',
  async () => {
    const sparing = await openFeed({ savesData: true })
    await sparing.getByRole('button', { name: 'Play Fifth shot' }).waitFor()
    expect(await videosOf(sparing)).toEqual([])
    await sparing.getByRole('button', { name: 'Play Fifth shot' }).tap()
    await expect.poll(async () => (await playing(sparing)).length).toBe(1)
    expect(await videosOf(sparing)).toHaveLength(1)
    await sparing.context().close()
    const calm = await openFeed({ reducedMotion: 'reduce' })
    await calm.getByRole('button', { name: 'Play Fifth shot' }).waitFor()
    await expect.poll(async () => (await videosOf(calm)).length).toBe(3)
    expect(await playing(calm)).toEqual([])
    await calm.context().close()
  },
)

longTest('a list of clips plays through on their pages, and by keys back', async () => {
  const { page } = await server.open()
  await page.goto('/profile/1?tab=clips')
  await page.getByRole('link', { name: 'Play all clips' }).click()
  const shows = (title: string) => page.getByRole('heading', { name: title, level: 1 }).waitFor()
  await shows('Fifth shot')
  const panel = page.getByRole('region', { name: /^Clips of .*swiper/ })
  await panel.getByText('1 of 5', { exact: true }).waitFor()
  await shows('Fourth shot')
  await panel.getByText('2 of 5', { exact: true }).waitFor()
  expect(await panel.getByRole('listitem').count()).toBe(5)
  await page.keyboard.press('Shift+P')
  await shows('Fifth shot')
  await panel.getByRole('link', { name: 'First shot' }).click()
  await shows('First shot')
  // At its end there is nothing to go on with.
  await page.getByRole('button', { name: 'Replay' }).waitFor()
  await panel.getByText('5 of 5', { exact: true }).waitFor()
  expect(await auditPage(page)).toEqual([])
  await panel.getByRole('heading').getByRole('link').click()
  await page.waitForURL('**/profile/1?tab=clips')
})

test.each([390, 375, 360])(
  'at %i px the buttons of a video or clip keep the margin of the page and are large enough',
  async (width) => {
    for (const viewer of [state, undefined]) {
      const { page } = await server.open({
        isPhone: true,
        state: viewer,
        viewport: { width, height: 844 },
      })
      for (const path of ['/video/1', '/clip/1']) {
        await page.goto(path)
        const last = page.getByRole('button', { name: 'More actions' }).first()
        const end =
          viewer || path.startsWith('/video')
            ? last
            : page.getByRole('button', { name: 'More ways to share' })
        await end
          .or(page.getByRole('button', { name: 'Share', exact: true }))
          .first()
          .waitFor()
        const bar = page.getByRole('button', { name: /^Open comments/ }).locator('xpath=..')
        const boxes = () =>
          bar.locator('button:visible, a:visible').evaluateAll((all) =>
            all.map((one) => {
              const { left, right, top, width, height } = one.getBoundingClientRect()
              return { name: one.ariaLabel ?? one.textContent, left, right, top, width, height }
            }),
          )
        await expect
          .poll(async () => (await boxes()).at(-1)?.right, { message: path })
          .toBe(width - 16)
        const all = await boxes()
        // On video pages a border of 1 px surrounds the first two buttons.
        expect(Math.round(all[0]?.left ?? 0)).toBe(viewer && path.startsWith('/video') ? 17 : 16)
        for (const [index, box] of all.entries()) {
          expect(Math.round(box.width), box.name ?? '').toBeGreaterThanOrEqual(44)
          expect(Math.round(box.height), box.name ?? '').toBeGreaterThanOrEqual(44)
          expect(box.left).toBeGreaterThanOrEqual(all[index - 1]?.right ?? 0)
          expect(box.top).toBeGreaterThanOrEqual(422)
        }
        expect(await findOutside(page)).toEqual([])
        await keepPicture(
          page,
          `acts ${path.split('/')[1]} ${width} ${viewer ? 'member' : 'visitor'}`,
        )
      }
    }
  },
)

test('a shelf of one clip fills the width of a phone', async () => {
  const { page } = await server.open({ isPhone: true, state })
  const path = join(server.dataFolder, 'match.mp4')
  const videoId = await uploadClip(page, path, { title: 'Another match' })
  const data = { videoId, title: 'The only one', startSeconds: 1, endSeconds: 4 }
  await page.request.post('/api/clips', { data })
  await page.goto(`/video/${videoId}`)
  const only = page.getByRole('listitem').filter({ hasText: 'The only one' })
  await only.scrollIntoViewIfNeeded()
  expect((await only.boundingBox())?.width).toBe(PHONE.width - 32)
  await keepPicture(page, 'one clip 390')
})
