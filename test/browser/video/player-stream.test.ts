import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { until } from '#test/support/until.ts'

const SECONDS = 60
/** Before the first play no more than this is fetched. */
const WAITING_SECONDS = 6

const server = setUpHostedSite({ env: { RENDITIONS: '240,144' } })
let videoId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const clip = await makeClip({
    ...{ path: join(server.dataFolder, 'match.mp4'), width: 320, height: 240 },
    ...{ seconds: SECONDS, frameRate: 10, keyFrameSeconds: 2, audioTracks: 2 },
  })
  videoId = await uploadClip(page, clip, { title: 'The long match' })
  const hasStream = async () => {
    const answer = await page.request.get(`/api/videos/${videoId}`)
    return ((await answer.json()) as { hlsUrl: string | null }).hlsUrl !== null
  }
  await until(hasStream, { timeoutMs: 110_000 })
  await page.context().close()
})

type Open = { memory?: object; prepare?: (page: Page) => Promise<unknown> }

/** A page on the video, which plays by renditions, muted. */
async function openStream({ memory = { quality: 144 }, prepare }: Open = {}) {
  const { page, problems } = await server.open()
  await page.addInitScript(
    (text) => localStorage.setItem('clutch-player', text),
    JSON.stringify({ isMuted: true, startsItself: false, ...memory }),
  )
  // What a test asks of the page counts as a gesture, which would start the video.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })
  })
  const ranges: string[] = []
  page.on('request', (request) => {
    const { range } = request.headers()
    if (range && /\dp[\w-]*\.mp4$/.test(request.url())) ranges.push(`${request.url()} ${range}`)
  })
  await prepare?.(page)
  await page.goto(`/video/${videoId}`)
  await page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>('[role="group"] video')
    return (video?.readyState ?? 0) >= 2
  })
  return { page, problems, ranges }
}

const media = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    time: video.currentTime,
    isPaused: video.paused,
    isSeeking: video.seeking,
    hasEnded: video.ended,
    height: video.videoHeight,
    src: video.currentSrc,
    readyState: video.readyState,
    duration: video.duration,
    bufferedSeconds: Array.from({ length: video.buffered.length }, (_, index) => [
      video.buffered.start(index),
      video.buffered.end(index),
    ]).reduce((sum, [start = 0, end = 0]) => sum + end - start, 0),
  }))

/** How far what is loaded goes on from where it stands. */
const secondsAhead = (page: Page) =>
  page.locator('video').evaluate(({ buffered, currentTime }: HTMLVideoElement) => {
    const ends = Array.from({ length: buffered.length }, (_, index) =>
      buffered.start(index) <= currentTime ? buffered.end(index) : 0,
    )
    return Math.max(0, ...ends) - currentTime
  })

const seek = (page: Page, seconds: number) =>
  page.locator('video').evaluate((video: HTMLVideoElement, to) => {
    video.currentTime = to
  }, seconds)

async function play(page: Page) {
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.play())
}

const playsFrom = (page: Page, seconds: number) =>
  expect.poll(async () => (await media(page)).time, { timeout: 90_000 }).toBeGreaterThan(seconds)

async function chooseQuality(page: Page, name: string | RegExp) {
  const player = page.getByRole('group', { name: 'Video player' })
  await player.getByRole('button', { name: 'Settings' }).press('Enter')
  await player
    .getByRole('menu', { name: 'Settings' })
    .getByRole('menuitem', { name: /^Quality/ })
    .press('Enter')
  await player
    .getByRole('menu', { name: 'Quality' })
    .getByRole('menuitemradio', { name })
    .press('Enter')
}

longTest('the quality changes while it plays on, up and down', async () => {
  const { page, problems } = await openStream()
  await play(page)
  await playsFrom(page, 0.3)
  const before = await media(page)
  expect(before).toMatchObject({
    height: 144,
    isPaused: false,
    src: expect.stringMatching(/^blob:/),
  })
  expect(before.duration).toBeCloseTo(SECONDS, 0)
  for (const height of [240, 144]) {
    const { time } = await media(page)
    await chooseQuality(page, `${height}p`)
    await expect.poll(async () => (await media(page)).height).toBe(height)
    const now = await media(page)
    expect(now).toMatchObject({ src: before.src, isPaused: false })
    expect(now.time).toBeGreaterThanOrEqual(time)
  }
  await chooseQuality(page, /^Auto/)
  await expect.poll(async () => (await media(page)).height, { timeout: 60_000 }).toBe(240)
  expect(problems).toEqual([])
})

longTest(
  'a chosen quality is seen everywhere from then on, also in what was seen before',
  async () => {
    const { page, problems } = await openStream()
    await play(page)
    await playsFrom(page, 4.5)
    await chooseQuality(page, '240p')
    await expect.poll(async () => (await media(page)).height).toBe(240)
    const { time: switchedAt } = await media(page)
    for (const place of [switchedAt - 1.5, 2.5, 0.2]) {
      await seek(page, place)
      await expect.poll(async () => (await media(page)).isSeeking).toBe(false)
      await playsFrom(page, place + 0.3)
      expect((await media(page)).height).toBe(240)
    }
    expect(problems).toEqual([])
  },
)

longTest(
  'the quality changes while it is paused, and the new picture is shown where the old one was',
  async () => {
    const { page, ranges, problems } = await openStream()
    await seek(page, 13)
    for (const height of [240, 144]) {
      await expect.poll(async () => (await media(page)).isSeeking).toBe(false)
      // Until then the old quality is still being asked for.
      await expect.poll(() => secondsAhead(page)).toBeGreaterThanOrEqual(WAITING_SECONDS)
      ranges.length = 0
      await chooseQuality(page, `${height}p`)
      await expect.poll(async () => (await media(page)).height).toBe(height)
      await expect.poll(async () => (await media(page)).readyState).toBeGreaterThanOrEqual(2)
      expect(await media(page)).toMatchObject({ time: 13, isPaused: true })
      expect(ranges[0]).toMatch(new RegExp(`/${height}p[\\w-]*\\.mp4`))
    }
    await play(page)
    await playsFrom(page, 13.5)
    expect(problems).toEqual([])
  },
)

test('a place that is not loaded is there at once, without what lies between', async () => {
  const { page, ranges, problems } = await openStream()
  await expect.poll(async () => (await media(page)).bufferedSeconds).toBeGreaterThan(5)
  ranges.length = 0
  await seek(page, SECONDS - 8.5)
  await expect
    .poll(async () => {
      const { isSeeking, readyState } = await media(page)
      return !isSeeking && readyState >= 2
    })
    .toBe(true)
  await seek(page, 3)
  await expect.poll(async () => (await media(page)).isSeeking).toBe(false)
  const { bufferedSeconds } = await media(page)
  expect(bufferedSeconds).toBeLessThan(SECONDS / 2)
  expect(ranges).toEqual([...new Set(ranges)])
  await seek(page, SECONDS - 1)
  await play(page)
  await expect.poll(async () => (await media(page)).hasEnded).toBe(true)
  expect(problems).toEqual([])
})

longTest('segments that do not come at first are asked for again, and nobody notices', async () => {
  let refused = 0
  const { page } = await openStream({
    prepare: (page) =>
      page.route(/144p[\w-]*\.mp4$/, (route) => {
        refused += 1
        if (refused === 1) return route.abort('connectionreset')
        if (refused === 3) return route.fulfill({ status: 503, body: '' })
        return route.continue()
      }),
  })
  await play(page)
  await playsFrom(page, 3)
  expect(refused).toBeGreaterThan(3)
  expect(await page.getByText('Reconnecting…').count()).toBe(0)
  expect((await media(page)).src).toMatch(/^blob:/)
})

longTest('a browser with little room is given no more than it takes', async () => {
  const { page, problems } = await openStream({
    prepare: (page) =>
      page.addInitScript(() => {
        const { appendBuffer } = SourceBuffer.prototype
        SourceBuffer.prototype.appendBuffer = function append(bytes: BufferSource) {
          let seconds = 0
          for (let index = 0; index < this.buffered.length; index++) {
            seconds += this.buffered.end(index) - this.buffered.start(index)
          }
          if (seconds > 10) throw new DOMException('There is no room.', 'QuotaExceededError')
          appendBuffer.call(this, bytes)
        }
      }),
  })
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.playbackRate = 4
  })
  await play(page)
  await playsFrom(page, 25)
  await seek(page, 2)
  await playsFrom(page, 8)
  await seek(page, SECONDS - 8)
  await expect.poll(async () => (await media(page)).hasEnded, { timeout: 90_000 }).toBe(true)
  expect((await media(page)).src).toMatch(/^blob:/)
  expect(problems).toEqual([])
})

longTest(
  'a segment that makes no sense once is loaded again, and the file stands in for one that never does',
  async () => {
    let isBroken = false
    const { page } = await openStream({
      prepare: (page) =>
        page.route(/144p[\w-]*\.mp4$/, async (route) => {
          if (!isBroken) return route.continue()
          isBroken = false
          const answer = await route.fetch()
          await route.fulfill({
            response: answer,
            body: Buffer.alloc((await answer.body()).length, 7),
          })
        }),
    })
    isBroken = true
    await seek(page, 30)
    await play(page)
    await playsFrom(page, 30.5)
    expect((await media(page)).src).toMatch(/^blob:/)

    await page.route(/144p[\w-]*\.mp4$/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: Buffer.alloc((await answer.body()).length, 7) })
    })
    await seek(page, 12)
    await expect.poll(async () => (await media(page)).src, { timeout: 90_000 }).toMatch(/\.mp4$/)
    await playsFrom(page, 12.5)
  },
)

longTest(
  'without a choice it begins with what the connection carried last time, and rises',
  async () => {
    const { page, ranges, problems } = await openStream({ memory: { bandwidth: 50_000 } })
    expect(ranges[0]).toMatch(/144p/)
    await play(page)
    await expect.poll(async () => (await media(page)).height, { timeout: 60_000 }).toBe(240)
    expect(problems).toEqual([])
  },
)

longTest(
  'going to the end of what is hardly loaded ends at the true end, and the length stays',
  async () => {
    const { page, problems } = await openStream()
    await expect.poll(async () => (await media(page)).bufferedSeconds).toBeGreaterThan(5)
    await page.getByRole('group', { name: 'Video player' }).focus()
    await page.keyboard.press('End')
    await expect
      .poll(async () => {
        const { hasEnded, isSeeking, readyState } = await media(page)
        return hasEnded && !isSeeking && readyState >= 2
      })
      .toBe(true)
    const atEnd = await media(page)
    expect(atEnd.time).toBeCloseTo(SECONDS, 0)
    expect(atEnd.duration).toBeCloseTo(SECONDS, 0)
    expect(atEnd.bufferedSeconds).toBeLessThan(SECONDS / 2)
    const slider = page.getByRole('slider', { name: 'Seek' })
    expect(await slider.getAttribute('aria-valuemax')).toBe(String(SECONDS))
    await page.keyboard.press('8')
    await expect.poll(async () => (await media(page)).time).toBeCloseTo(SECONDS * 0.8, 0)
    await expect.poll(async () => (await media(page)).readyState).toBeGreaterThanOrEqual(2)
    expect((await media(page)).duration).toBeCloseTo(SECONDS, 0)
    expect(problems).toEqual([])
  },
)

longTest('the speed stays when another source takes over', async () => {
  const { page, problems } = await openStream({ memory: { bandwidth: 90_000_000 } })
  await page.getByRole('group', { name: 'Video player' }).focus()
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('>')
  const rate = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate)
  await expect.poll(rate).toBe(2)
  const { src } = await media(page)
  expect(src).toMatch(/\.mp4$/)
  await chooseQuality(page, '144p')
  await expect.poll(async () => (await media(page)).height).toBe(144)
  expect((await media(page)).src).not.toBe(src)
  expect(await rate()).toBe(2)
  expect(problems).toEqual([])
})

/** As on an iPhone: the browser plays HLS itself. */
const withoutMediaSource = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['MediaSource', 'ManagedMediaSource']) Reflect.deleteProperty(window, name)
  })

const hasSource = (page: Page, end: RegExp) =>
  expect.poll(async () => (await media(page)).src, { timeout: 60_000 }).toMatch(end)

test('without MediaSource the browser plays the stream itself, and a chosen height at the same place', async () => {
  const { page, problems } = await openStream({ memory: {}, prepare: withoutMediaSource })
  await hasSource(page, /hls[\w-]*\.m3u8$/)
  await seek(page, 20)
  await play(page)
  await playsFrom(page, 20.3)
  for (const height of [144, 240]) {
    await chooseQuality(page, new RegExp(`^${height}p$`))
    await hasSource(page, new RegExp(`/${height}p[\\w-]*\\.m3u8$`))
    await expect.poll(async () => (await media(page)).height, { timeout: 60_000 }).toBe(height)
    await playsFrom(page, 20.3)
    expect((await media(page)).isPaused).toBe(false)
  }
  await chooseQuality(page, /^Auto/)
  await hasSource(page, /hls[\w-]*\.m3u8$/)
  await playsFrom(page, 20.3)
  expect(problems).toEqual([])
})

longTest(
  'without MediaSource a remembered height that is missing is the nearest below, and a stream that fails the file',
  async () => {
    const opened = { memory: { quality: 200 }, prepare: withoutMediaSource }
    const { page, problems } = await openStream(opened)
    await hasSource(page, /\/144p[\w-]*\.m3u8$/)
    expect(problems).toEqual([])
    await page.route(/\.m3u8$/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.reload()
    await hasSource(page, /\.mp4$/)
    await play(page)
    await playsFrom(page, 0.3)
  },
)

longTest('qualities are offered only where they can be chosen', async () => {
  const noMediaSourceNorHls = async (page: Page) => {
    await withoutMediaSource(page)
    await page.addInitScript(() => {
      HTMLVideoElement.prototype.canPlayType = (type) => (/mpegurl/i.test(type) ? '' : 'maybe')
    })
  }
  const brokenHls = async (page: Page) => {
    await withoutMediaSource(page)
    await page.route(/\.m3u8$/, (route) => route.fulfill({ status: 404, body: '' }))
  }
  for (const prepare of [noMediaSourceNorHls, brokenHls]) {
    const { page } = await openStream({ memory: {}, prepare })
    await hasSource(page, /\.mp4$/)
    // What else there is has been reported.
    await page.waitForLoadState('networkidle')
    const player = page.getByRole('group', { name: 'Video player' })
    await player.getByRole('button', { name: 'Settings' }).press('Enter')
    expect(await player.getByRole('menuitem', { name: /^Audio track/ }).count()).toBe(0)
    await player.getByRole('menuitem', { name: /^Quality/ }).press('Enter')
    const choices = player.getByRole('menuitemradio')
    expect(await choices.allTextContents()).toEqual(['240p'])
    await page.context().close()
  }
})

longTest('a clock that goes on is no stall, whatever else the browser says', async () => {
  const bandwidth = 90_000_000
  const { page, problems } = await openStream({ memory: { bandwidth } })
  const { src } = await media(page)
  expect(src).toMatch(/\.mp4$/)
  await play(page)
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    Object.defineProperty(video, 'readyState', { get: () => HTMLMediaElement.HAVE_CURRENT_DATA })
    video.dispatchEvent(new Event('waiting'))
  })
  await playsFrom(page, (await media(page)).time + 3)
  expect((await media(page)).src).toBe(src)
  const remembered = await page.evaluate(() => localStorage.getItem('clutch-player') ?? '')
  expect(JSON.parse(remembered).bandwidth).toBe(bandwidth)
  expect(problems).toEqual([])
})

test('the picture of the file stays until the stream has one', async () => {
  const { page, problems } = await openStream({ memory: { bandwidth: 90_000_000 } })
  await play(page)
  await playsFrom(page, 1)
  const dark = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const video = document.querySelector('video')
        const look = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        let darkest = 255
        const watch = () => {
          const shown = video?.parentElement?.querySelector('canvas') ?? video
          look?.drawImage(shown as CanvasImageSource, 0, 0, 8, 8)
          const pixels = look?.getImageData(0, 0, 8, 8).data ?? []
          darkest = Math.min(darkest, Math.max(...pixels.filter((_, index) => index % 4 < 3)))
          const isOver =
            video?.currentSrc.startsWith('blob:') && video.readyState >= 3 && !video.seeking
          if (isOver) resolve(darkest)
          else requestAnimationFrame(watch)
        }
        watch()
      }),
  )
  const { time } = await media(page)
  await chooseQuality(page, '144p')
  expect(await dark).toBeGreaterThan(60)
  expect((await media(page)).time).toBeGreaterThanOrEqual(time)
  await expect.poll(() => page.locator('[role="group"] canvas').count()).toBe(0)
  expect(problems).toEqual([])
})
