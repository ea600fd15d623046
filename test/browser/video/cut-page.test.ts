import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { uploadFrom } from '#test/support/page-upload.ts'
import { addRows, readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const server = setUpHostedSite()
let page: Page
let videoId: number

beforeAll(async () => {
  ;({ page } = await server.open())
  await register(page, 'ann')
  const path = join(server.dataFolder, 'clip.mp4')
  await makeClip({ path, seconds: 12, width: 160, height: 90, frameRate: 10, keyFrameSeconds: 1 })
  await page.goto('/')
  videoId = await uploadFrom(page, { path, title: 'Push to the launch site' })
  await until(async () => {
    const video = await (await page.request.get(`/api/videos/${videoId}`)).json()
    return video.processingState === 'ready'
  })
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const parts = () => page.getByRole('region', { name: 'Parts' }).getByRole('listitem')
const now = () =>
  page
    .locator('video[data-front]')
    .evaluate((video: HTMLVideoElement) => Math.round(video.currentTime * 100) / 100)

/** Puts the playhead somewhere, as a mouse does. */
async function pressAt(seconds: number): Promise<void> {
  const box = await page.getByRole('region', { name: 'Timeline' }).boundingBox()
  if (!box) throw new Error('no timeline')
  await page.mouse.click(box.x + (box.width * seconds) / 12, box.y + 70)
}

beforeEach(async () => {
  await page.goto('/studio')
  await page.evaluate(() => sessionStorage.clear())
  await page.getByRole('link', { name: 'Cut Push to the launch site', exact: true }).click()
  await page.getByRole('toolbar', { name: 'Cutting' }).waitFor()
})

test('parts are dropped by keys, taken back and saved as a new video', async () => {
  await pressAt(3)
  await page.keyboard.press('s')
  await pressAt(8)
  await page.keyboard.press('s')
  await page.keyboard.press(',')
  await page.keyboard.press('Delete')
  await page.getByText('0:05.0 dropped in 1 part').waitFor()
  expect(await parts().count()).toBe(3)
  await page.keyboard.press('Control+z')
  await page.getByText('Nothing is removed yet').waitFor()
  await page.keyboard.press('Control+Shift+Z')
  await page.getByText('0:07.0 of 0:12.0').waitFor()

  // A cut is moved by a picture and by a second, and a drag is one step back.
  const cut = page.getByRole('slider', { name: 'Cut 1' })
  await cut.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  expect(await cut.getAttribute('aria-valuetext')).toBe('0:02.1')
  await auditPage(page)

  await page.reload()
  await page.getByText('0:05.9 dropped in 1 part').waitFor()
  await button('Save as new video').click()
  const dialog = page.getByRole('dialog', { name: 'Save as a new video' })
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Push to the launch site (cut)')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Watch the new video' }).click()
  await page.waitForURL(/\/video\/\d+/)
  const video = page.locator('video')
  await video.waitFor({ state: 'attached' })
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
    .toBeCloseTo(6.1, 1)
})

longTest('the preview leaves out what is dropped', async () => {
  await pressAt(3)
  await page.keyboard.press('s')
  await pressAt(8)
  await page.keyboard.press('s')
  await button('Remove part 2').click()
  await pressAt(2)
  await page.keyboard.press(' ')
  await expect.poll(now, { timeout: 20_000 }).toBeGreaterThan(8)
  await page.keyboard.press(' ')
  expect(await now()).toBeLessThan(12)
})

longTest('the wheel over the timeline scrolls the page, and zooms with Ctrl', async () => {
  const shown = page.getByText(/^The timeline shows/)
  const all = await shown.innerText()
  await page.setViewportSize({ width: 1000, height: 500 })
  await page.getByRole('region', { name: 'Timeline' }).hover()
  await page.mouse.wheel(0, 200)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
  expect(await shown.innerText()).toBe(all)
  await page.getByRole('region', { name: 'Timeline' }).hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -200)
  await page.keyboard.up('Control')
  await expect.poll(() => shown.innerText()).not.toBe(all)
  await page.setViewportSize(DESKTOP)
})

longTest('what is not saved is asked about before the page is left', async () => {
  await pressAt(6)
  await button('Split').click()
  await button('Remove this part').click()
  await page.getByRole('link', { name: 'Back to the studio' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await button('Keep everything').click()
  await page.getByRole('link', { name: 'Back to the studio' }).click()
  await page.getByRole('heading', { name: 'Content Studio' }).waitFor()
})

longTest('a video is replaced by its cut, and the old recording brought back', async () => {
  await pressAt(6)
  await button('Split').click()
  await button('Remove part 1').click()
  await button('Replace').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await page.getByText('The video is cut.').waitFor()
  await page.getByText('0:06.0 of 0:06.0').waitFor()
  await page.setViewportSize(PHONE)
  expect(await auditPage(page)).toEqual([])
  await button('Restore the original').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('0:12.0 of 0:12.0').waitFor()
})

longTest('a cut that failed is said until it is dismissed', async () => {
  const failedId = await writeRows(server, async (db) => {
    const { userId } = await readRow(db, 'videos', { id: videoId })
    const failed = { processingState: 'failed', visibility: 'private' } as const
    const [id = 0] = await addVideos(db, [{ userId, title: 'A cut', ...failed }])
    const cut = {
      sourceVideoId: videoId,
      replaces: 1,
      parts: '[]',
      createdAt: timestamp(),
    } as const
    await addRows(db, 'cuts', { videoId: id, ...cut })
    return id
  })
  await page.reload()
  await page.getByText('The video could not be cut.').waitFor()
  await button('Dismiss').click()
  await page.getByText('The video could not be cut.').waitFor({ state: 'detached' })
  expect((await page.request.get(`/api/videos/${failedId}`)).status()).toBe(404)
  expect((await page.request.get(`/api/videos/${videoId}`)).status()).toBe(200)
})

longTest('what was cut out is deleted at once where that is asked', async () => {
  const cut = { parts: [{ fromSeconds: 0, toSeconds: 6 }], as: 'replace' }
  const payload = { data: cut, headers: { origin: server.origin } }
  expect((await page.request.post(`/api/videos/${videoId}/cut`, payload)).status()).toBe(202)
  await until(async () => {
    const state = await page.request.get(`/api/videos/${videoId}/cut`)
    return (await state.json()).cut === null
  })
  await page.reload()
  await button('Delete the original now').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This video was cut.').waitFor({ state: 'detached' })
  expect(await button('Restore the original').count()).toBe(0)
})

longTest('for others than its owner there is no such page', async () => {
  const other = await server.open({ isNew: true })
  await other.page.goto('/')
  await register(other.page, 'bob')
  await other.page.goto(`/studio/cut/${videoId}`)
  await other.page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
})
