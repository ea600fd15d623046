import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
let page: Page
let path: string

beforeAll(async () => {
  ;({ page } = await server.open())
  await register(page, 'ann')
  path = join(server.dataFolder, 'An evening.mp4')
  await makeClip({
    path,
    seconds: 310,
    width: 64,
    height: 36,
    frameRate: 2,
    keyFrameSeconds: 4,
    audioCodec: null,
  })
})

test('of a long file only a part is uploaded', async () => {
  await page.goto('/upload')
  await page.locator('input[type=file]').first().setInputFiles(path)
  const chosen = page.getByRole('region', { name: 'Chosen video' })
  const open = chosen.getByRole('button', { name: 'Trim before uploading' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Trim before uploading' })
  const [start, end] = ['Start of the part', 'End of the part'].map((name) =>
    dialog.getByRole('slider', { name }),
  )
  const endAt = async (seconds: number) => {
    await dialog
      .locator('video')
      .evaluate((video: HTMLVideoElement, to) => Object.assign(video, { currentTime: to }), seconds)
    await dialog.getByRole('button', { name: 'End here' }).click()
  }
  // Two seconds after a key frame.
  await start?.focus()
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press('ArrowRight')
  await dialog.getByText('it starts a little earlier, at 0:04.0').waitFor()
  await endAt(8)
  await dialog.getByText('0:06.0 – 0:08.0').waitFor()
  await end?.focus()
  await page.keyboard.press('ArrowRight')
  await dialog.getByText('0:06.0 – 0:09.0').waitFor()
  await auditPage(page)
  await dialog.getByRole('button', { name: 'Upload this part' }).click()
  await chosen.getByText(/Only this part is uploaded: .+ → .+/).waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('An evening')

  await chosen.getByRole('button', { name: 'Use the whole file' }).click()
  await open.click()
  await endAt(2)
  await dialog.getByRole('button', { name: 'Upload this part' }).click()
  await chosen.getByText('Only this part is uploaded').waitFor()
  await page.getByRole('button', { name: 'Upload Video', exact: true }).click()
  await page.waitForURL(/\/video\/\d+/)
  const video = page.locator('video')
  await video.waitFor({ state: 'attached' })
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
    .toBeCloseTo(2, 0)
})

test('a browser that writes its own files in workers only copies a part, too', async () => {
  const other = await page.context().newPage()
  await other.addInitScript(() =>
    Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createWritable'),
  )
  await other.goto('/upload')
  await other.locator('input[type=file]').first().setInputFiles(path)
  const chosen = other.getByRole('region', { name: 'Chosen video' })
  await chosen.getByRole('button', { name: 'Trim before uploading' }).click()
  const dialog = other.getByRole('dialog', { name: 'Trim before uploading' })
  await dialog
    .locator('video')
    .evaluate((video: HTMLVideoElement) => Object.assign(video, { currentTime: 4 }))
  await dialog.getByRole('button', { name: 'End here' }).click()
  await dialog.getByRole('button', { name: 'Upload this part' }).click()
  await chosen.getByText('Only this part is uploaded').waitFor()
  await other.getByRole('button', { name: 'Upload Video', exact: true }).click()
  await other.waitForURL(/\/video\/\d+/)
  const video = other.locator('video')
  await video.waitFor({ state: 'attached' })
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
    .toBeCloseTo(4, 0)
  await other.close()
})

/** What browsers and windows lack, and what the page says of it. */
const LACKS: [what: string, take: () => void, sentence: RegExp][] = [
  [
    'HTTPS',
    () => Object.defineProperty(globalThis, 'isSecureContext', { value: false }),
    /^Trimming before the upload needs a site with HTTPS\. You can upload the whole file/,
  ],
  [
    'files of its own',
    () => Reflect.deleteProperty(StorageManager.prototype, 'getDirectory'),
    /^Trimming before the upload needs a newer browser\. You can upload the whole file/,
  ],
  [
    'locks',
    () => Reflect.deleteProperty(Navigator.prototype, 'locks'),
    /^Trimming before the upload needs a newer browser\. You can upload the whole file/,
  ],
  [
    'storage in a private window',
    () =>
      Object.defineProperty(StorageManager.prototype, 'getDirectory', {
        value: () => Promise.reject(new DOMException('Denied.', 'SecurityError')),
      }),
    /^Trimming before the upload needs storage, .+ private .+\. You can upload the whole file/,
  ],
]

test.each(LACKS)(
  'where a part cannot be copied for want of %s the page says why, and offers the whole file',
  async (_, take, sentence) => {
    const other = await page.context().newPage()
    await other.addInitScript(take)
    await other.goto('/upload')
    await other.locator('input[type=file]').first().setInputFiles(path)
    const chosen = other.getByRole('region', { name: 'Chosen video' })
    await chosen.getByText(sentence).waitFor()
    expect(await chosen.getByRole('button', { name: 'Trim before uploading' }).count()).toBe(0)
    expect(await other.getByRole('button', { name: 'Upload Video', exact: true }).isEnabled()).toBe(
      true,
    )
    await other.close()
  },
)

test('a file over the limit is told, too, that no part of it can be copied here', async () => {
  const limit = (maxVideoBytes: number | null) =>
    writeRows(server, (db) => db.updateTable('siteSettings').set({ maxVideoBytes }).execute())
  await limit(1000)
  const other = await page.context().newPage()
  await other.addInitScript(() => Reflect.deleteProperty(StorageManager.prototype, 'getDirectory'))
  await other.goto('/upload')
  await other.locator('input[type=file]').first().setInputFiles(path)
  await other
    .getByText(/a video may have at most 1KB\. Trimming before the upload needs a newer browser\.$/)
    .waitFor()
  await other.close()
  await limit(null)
})
