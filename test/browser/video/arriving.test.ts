import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const server = setUpHostedSite({ env: { RENDITIONS: '' } })
/** 10 Mb/s. */
const LINE = 1_250_000
const SECONDS = 24
let path: string
let page: Page
let members = 0

beforeAll(async () => {
  path = join(server.dataFolder, 'match.mp4')
  await makeClip({
    ...{ path, width: 640, height: 360, seconds: SECONDS, keyFrameSeconds: 2 },
    filters: ['noise=alls=20:allf=t'],
  })
})

beforeEach(async () => {
  ;({ page } = await server.open())
  members += 1
  await register(page, `sender${members}`)
})

/** Chooses the file and sends it as slowly as the line is. @returns the address of the video to be */
async function beginUpload({ throughput = LINE } = {}): Promise<string> {
  const cdp = await page.context().newCDPSession(page)
  await page.goto('/upload')
  await page.locator('input[type=file]').first().setInputFiles(path)
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

test('a second browser sees the first picture while at most a fifth has arrived, follows to the end, and stays where it is', async () => {
  const address = await beginUpload()
  const begunAt = performance.now()
  const { page: viewer } = await server.open()
  await viewer.goto(address)
  await hasPicture(viewer)
  const [percent, ms] = [await percentOf(viewer), performance.now() - begunAt]
  console.log({ percent, ms })
  expect(percent).toBeLessThanOrEqual(20)
  await viewer.getByText(/^Still arriving: 0:\d\d of 0:24$/).waitFor()
  await viewer.evaluate(() => document.querySelector('video')?.play())
  await viewer.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 2)
  const before = await playedSeconds(viewer)
  await viewer.getByRole('heading', { name: /comments/i }).first().waitFor({ timeout: 90_000 })
  await hasPicture(viewer)
  expect(await playedSeconds(viewer)).toBeGreaterThanOrEqual(before)
  expect(new URL(viewer.url()).pathname).toBe(address)
})
