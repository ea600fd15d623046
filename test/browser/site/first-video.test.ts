import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { launchBrowser, openPage } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

let server: ServerProcess
let browser: Browser
let page: Page
let problems: string[]
const folder = setUpFolder('clips')

beforeAll(async () => {
  server = await startServer()
  browser = await launchBrowser()
  ;({ page, problems } = await openPage(browser, { origin: server.origin }))
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

const playsOn = async () => {
  const video = page.locator('video')
  await video.waitFor({ state: 'attached', timeout: 90_000 })
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true
    return element.play()
  })
  const timeOf = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  const before = await timeOf()
  await expect.poll(timeOf, { timeout: 10_000 }).toBeGreaterThan(before + 0.2)
}

const chooseVideo = (path: string) => page.locator('input[type=file]').first().setInputFiles(path)

test('a new person registers and is signed in', async () => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await page.getByRole('tab', { name: 'Register' }).click()
  // Both forms ask for a user name.
  await page.getByLabel('Email').waitFor()
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Email').fill('ann@example.org')
  await page.getByLabel('Display Name').fill('Ann of Rust')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByLabel('Confirm Password').fill('correct horse')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL('/')
  await page.getByRole('link', { name: 'Upload' }).first().waitFor()
})

test('an MP4 plays after its upload', async () => {
  const path = join(folder, 'last-stand.mp4')
  await makeClip({ path, seconds: 4 })
  await page.getByRole('link', { name: 'Upload' }).first().click()
  await page.waitForURL('/upload')
  await chooseVideo(path)
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('last-stand')
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await page.waitForURL(/\/video\/\d+$/, { timeout: 90_000 })
  await page.getByRole('heading', { name: 'last-stand' }).waitFor()
  await playsOn()
})

longTest(
  'the form proposes a title that is taken, however short the name of the file',
  async () => {
    const path = join(folder, 'short.mp4')
    await makeClip({ path, seconds: 1 })
    const buffer = await readFile(path)
    await page.goto('/upload')
    const files = page.locator('input[type=file]').first()
    for (const [name, title] of Object.entries({
      'x1.mp4': 'Video x1',
      '\u2800\u200b.mp4': 'Video',
    })) {
      await files.setInputFiles({ name, mimeType: 'video/mp4', buffer })
      await expect.poll(() => page.getByLabel('Title').inputValue()).toBe(title)
    }
  },
)

longTest('an AVI shows that it is being prepared and turns into the player by itself', async () => {
  const path = join(folder, 'old-capture.avi')
  await makeClip({
    path,
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
    width: 1280,
    height: 720,
    seconds: 15,
  })
  await page.goto('/upload')
  await chooseVideo(path)
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await page.waitForURL(/\/video\/\d+$/, { timeout: 90_000 })
  await page
    .getByText(/Preparing your video|Waiting in line/)
    .first()
    .waitFor()
  await playsOn()
})

longTest('an upload survives the server being killed in the middle', async () => {
  const path = join(folder, 'long-match.mp4')
  await makeClip({ path, seconds: 2 })
  const padding = Buffer.alloc(12 * UPLOAD_CHUNK_BYTES)
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  await writeFile(path, Buffer.concat([await readFile(path), padding]))
  await page.goto('/upload')
  await chooseVideo(path)
  const thirdChunk = page.waitForRequest(
    (request) => request.url().endsWith('/uploads/chunk') && ++seen === 3,
  )
  let seen = 0
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await thirdChunk
  await server.stop('SIGKILL')
  problems.length = 0
  server = await startServer({ dataFolder: server.dataFolder, port: server.port })
  await page.waitForURL(/\/video\/\d+$/, { timeout: 60_000 })
  await playsOn()
  problems.length = 0
})

test('nothing complained in the console', () => {
  expect(problems).toEqual([])
})
