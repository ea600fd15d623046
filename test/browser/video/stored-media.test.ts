import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openMediaStore } from '#server/platform/files/open-media-store.ts'
import { launchBrowser, openPage } from '#test/support/browser.ts'
import { startCachingProxy } from '#test/support/caching-proxy.ts'
import { makeClip } from '#test/support/clips.ts'
import { type HostedSite, openHostedSite } from '#test/support/hosted-site.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = 30
const WAYS = ['stream', 'redirect', 'cdn'] as const
type Way = (typeof WAYS)[number]

let browser: Browser
const folder = setUpFolder('stored')
let origin: string
let store: Awaited<ReturnType<typeof startS3Server>>
let cdn: Awaited<ReturnType<typeof startCachingProxy>>
let server: HostedSite
let videoId: number
let linkPath: string

/** A video is prepared on this machine, and then its files are in the store alone. */
beforeAll(async () => {
  server = await openHostedSite({ env: { RENDITIONS: '240,144' } })
  origin = server.origin
  browser = await launchBrowser()
  store = await startS3Server()
  cdn = await startCachingProxy(origin)
  const { page } = await openPage(browser, { origin, isNew: true })
  await register(page, 'nova')
  const path = await makeClip({
    ...{ path: join(folder, 'match.mp4'), width: 320, height: 240 },
    ...{ seconds: SECONDS, frameRate: 10, keyFrameSeconds: 2 },
  })
  videoId = await uploadClip(page, path, { title: 'The long match' })
  await until(
    async () => {
      const answer = await page.request.get(`/api/videos/${videoId}`)
      return ((await answer.json()) as { hlsUrl: string | null }).hlsUrl !== null
    },
    { timeoutMs: 110_000 },
  )
  const made = await page.request.post('/api/share-links', { data: { videoId } })
  linkPath = new URL(((await made.json()) as { url: string }).url).pathname
  await page.context().close()
  await cp(server.dataFolder, join(folder, 'data'), { recursive: true })
  await putAll(join(folder, 'data', 'media'))
  await rm(join(folder, 'data', 'media'), { recursive: true })
})
afterAll(async () => {
  await browser.close()
  await server.remove()
  await cdn.stop()
  await store.stop()
})

async function putAll(media: string): Promise<void> {
  const config = readConfig({ ...store.mediaVariables('site'), DATA_DIR: join(folder, 'putting') })
  const target = await openMediaStore(config)
  for (const name of await readdir(media, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue
    const path = join(name.parentPath, name.name)
    const key = `media/${path.slice(media.length + 1)}`
    await target.put([{ key, bytes: await readFile(path) }])
  }
}

/** The site again, which hands its files out in another way, without a copy of any. */
async function openSite(way: Way): Promise<void> {
  const dataFolder = await mkdtemp(join(folder, `${way}-`))
  await cp(join(folder, 'data'), dataFolder, { recursive: true })
  const env = {
    ...store.mediaVariables('site'),
    ...(way === 'redirect' && { MEDIA_DELIVERY: 'redirect' }),
    ...(way === 'cdn' && { MEDIA_PUBLIC_URL: cdn.origin }),
  }
  server = await openHostedSite({ dataFolder, env })
}

/** Plays and seeks. @returns from where the bytes came */
async function playAndSeek(path: string, memory: object): Promise<Set<string>> {
  const context = await browser.newContext({ baseURL: origin })
  await context.addInitScript(
    (text) => localStorage.setItem('clutch-player', text),
    JSON.stringify({ isMuted: true, startsItself: false, ...memory }),
  )
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  const origins = new Set<string>()
  page.on('response', (response) => {
    const { pathname, origin: from } = new URL(response.url())
    if (/\.(mp4|m4a)$/.test(pathname) && response.status() === 206) origins.add(from)
  })
  await page.goto(path)
  const video = page.locator('video')
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true
    return element.play()
  })
  await waitForTime(page, 0.2)
  await video.evaluate((element: HTMLVideoElement, to) => {
    element.currentTime = to
  }, SECONDS - 8)
  await waitForTime(page, SECONDS - 7.5)
  expect(problems).toEqual([])
  await context.close()
  return origins
}

const waitForTime = (page: Page, seconds: number) =>
  page.waitForFunction((least) => {
    const video = document.querySelector('video')
    return video !== null && !video.seeking && video.currentTime > least
  }, seconds)

const originOf = (way: Way) => ({ stream: origin, redirect: store.endpoint, cdn: cdn.origin })[way]

const RENDITION = { quality: 144 }

test.each(WAYS)('what lies in a store plays and seeks by renditions: %s', playByRenditions)

async function playByRenditions(way: Way): Promise<void> {
  await openSite(way)
  expect([...(await playAndSeek(`/video/${videoId}`, RENDITION))]).toEqual([originOf(way)])
  // A link is for who has it: no CDN gets its files.
  const linked = way === 'cdn' ? origin : originOf(way)
  expect([...(await playAndSeek(linkPath, RENDITION))]).toEqual([linked])
  if (way === 'cdn') {
    const kept = cdn.countKept()
    await playAndSeek(`/video/${videoId}`, RENDITION)
    expect([kept > 0, cdn.countHits() > 0]).toEqual([true, true])
  }
}

longTest.each(WAYS)('and as one file, and embedded: %s', async (way) => {
  await openSite(way)
  const file = { quality: 'auto', bandwidth: 100_000_000 }
  expect([...(await playAndSeek(`/video/${videoId}`, file))]).toEqual([originOf(way)])
  for (const memory of [RENDITION, file]) {
    expect([...(await playAndSeek(`/embed/${videoId}`, memory))]).toEqual([originOf(way)])
  }
})
