import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '' } })
/** 10 Mb/s. */
const LINE = 1_250_000
/** Long enough that a fifth of it takes longer than the first picture. */
const SECONDS = isLongForm ? 24 : 5
let path: string
let matroska: string
let small: string
let page: Page
let members = 0

beforeAll(async () => {
  path = join(server.dataFolder, 'match.mp4')
  matroska = join(server.dataFolder, 'match.mkv')
  small = await makeClip({ path: join(server.dataFolder, 'small.mp4'), seconds: 1 })
  const picture = { width: 640, height: 360, seconds: SECONDS, keyFrameSeconds: 2 }
  const filters = ['noise=alls=20:allf=t']
  await makeClip({ path, ...picture, filters })
  if (isLongForm) {
    await makeClip({ path: matroska, container: 'matroska', ...picture, seconds: 8, filters })
  }
})

beforeEach(async () => {
  ;({ page } = await server.open())
  members += 1
  await register(page, `sender${members}`)
})

/** Chooses the file and sends it as slowly as the line is. @returns the address of the video to be */
async function beginUpload({ throughput = LINE, file = path } = {}): Promise<string> {
  const cdp = await page.context().newCDPSession(page)
  await page.goto('/upload')
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.getByLabel('Title').fill('The last stand')
  await cdp.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: throughput },
  })
  const opened = page.waitForResponse((answer) => answer.url().includes('upload.openLink'))
  await page.getByRole('button', { name: 'Upload Video' }).click()
  const text = await (await opened).text()
  await page.getByRole('button', { name: 'Copy link of The last stand' }).waitFor()
  return /\/video\/\d+/.exec(text)?.[0] ?? ''
}

const playedSeconds = (of: Page) =>
  of.evaluate(() => document.querySelector('video')?.currentTime ?? 0)

const percentOf = async (of: Page) =>
  Number(await of.getByRole('progressbar', { name: /^Arrived/ }).getAttribute('aria-valuenow'))

const hasPicture = (of: Page) =>
  of.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)

/** This page is shown until the usual one takes over. */
const untilFinished = (of: Page) =>
  of
    .getByRole('textbox', { name: /comment/i })
    .or(of.getByText('Sign in to add a comment'))
    .first()
    .waitFor()

test('a second browser watches what has arrived, follows to the end, and stays where it is', async () => {
  const address = await beginUpload({ throughput: 3_000_000 })
  const { page: viewer } = await server.open()
  await viewer.goto(address)
  await viewer.getByText(/^Still arriving: /).waitFor()
  await hasPicture(viewer)
  await viewer.evaluate(() => document.querySelector('video')?.play())
  await viewer.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
  await viewer.getByRole('button', { name: 'More ways to share' }).click()
  const saved = viewer.waitForEvent('download')
  await viewer.getByRole('menuitem', { name: 'Save this picture' }).click()
  const picture = await readFile(await (await saved).path())
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([640, 360])
  const before = await playedSeconds(viewer)
  await untilFinished(viewer)
  await hasPicture(viewer)
  expect(await playedSeconds(viewer)).toBeGreaterThanOrEqual(before)
  expect(new URL(viewer.url()).pathname).toBe(address)
})

test('a sender who closes the browser leaves a page that says so, and who turns the switch off gets no link', async () => {
  const address = await beginUpload({ throughput: 500_000 })
  const { page: viewer } = await server.open()
  await viewer.goto(address)
  await viewer.getByText(/^Still arriving: /).waitFor()
  await page.goto('about:blank')
  await viewer
    .getByText(/^The upload is paused at /)
    .first()
    .waitFor({ timeout: 6000 })
  await viewer.getByText('It goes on when its sender is back, and is kept for a day.').waitFor()
  await auditPage(viewer)

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/upload')
  await page.locator('input[type=file]').first().setInputFiles(small)
  await page.getByRole('switch', { name: 'Can be watched while it uploads' }).click()
  await page.getByRole('button', { name: 'Upload Video' }).click()
  await page.waitForURL(/\/video\/\d+$/)
  expect(asked.some((url) => url.includes('uploads/chunk'))).toBe(true)
  expect(asked.some((url) => url.includes('openLink'))).toBe(false)
  await page.goto('/upload')
  await page.locator('input[type=file]').first().setInputFiles(small)
  expect(await page.getByRole('switch').isChecked()).toBe(false)
})

longTest(
  'at 10 Mb/s the first picture is seen while at most a fifth has arrived, within 5 s',
  async () => {
    const address = await beginUpload()
    const begunAt = performance.now()
    const { page: viewer } = await server.open()
    await viewer.goto(address)
    await hasPicture(viewer)
    const [percent, ms] = [await percentOf(viewer), performance.now() - begunAt]
    console.log({ percent, ms })
    expect(percent).toBeLessThanOrEqual(20)
    expect(ms).toBeLessThan(5000)
  },
)

longTest('a Matroska file is watched as it arrived until it is prepared', async () => {
  const address = await beginUpload({ throughput: 3_000_000, file: matroska })
  const { page: viewer } = await server.open()
  await viewer.goto(address)
  await hasPicture(viewer)
  await viewer.evaluate(() => document.querySelector('video')?.play())
  await untilFinished(viewer)
  await hasPicture(viewer)
  expect(await playedSeconds(viewer)).toBeGreaterThan(1)
})
