import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside } from '#test/support/page-check.ts'
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
  await feed.evaluate((list) => list.scrollTo({ top: list.scrollHeight, behavior: 'instant' }))
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
  const current = page.getByRole('article').first()
  const all = [
    ...(await current.getByRole('button', { name: /^Like|^Share/ }).all()),
    ...(await current.getByRole('link', { name: /^Comments|^Whole video|swiper/ }).all()),
    ...(await page.getByRole('button', { name: /^(Previous|Next) clip$/ }).all()),
  ]
  const boxes: { x: number; y: number; width: number; height: number }[] = []
  for (const one of all) {
    const box = (await one.isVisible()) && (await one.boundingBox())
    if (box) boxes.push(box)
  }
  expect(boxes.length).toBeGreaterThanOrEqual(5)
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
