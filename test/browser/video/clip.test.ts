import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage, findOutside, keepPicture, watchLayout } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { addRows, changeRows, readRow } from '#test/support/rows.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'
import { withStoreOf } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'

const RANGE = { startSeconds: 10.4, endSeconds: 13.4 }

const server = setUpHostedSite({ env: { RENDITIONS: '180' } })
let page: Page
let problems: string[]

beforeAll(async () => {
  const opened = await server.open()
  page = opened.page
  problems = opened.problems
  await register(page, 'clipper')
  const path = await makeClip({
    path: join(server.dataFolder, 'match.mp4'),
    seconds: 40,
    frameRate: 10,
  })
  await uploadClip(page, path, { title: 'The whole match' })
  // As on a fast connection, which gets the file.
  const memory = JSON.stringify({ isMuted: true, startsItself: true, bandwidth: 50e6 })
  await page.addInitScript((text) => localStorage.setItem('clutch-player', text), memory)
})

const timeOf = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)

const isPaused = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)

async function makeClipOf(title: string): Promise<number> {
  const { items } = await (await page.request.get('/api/videos'))
    .json()
    .then((items) => ({ items }))
  const data = { videoId: items[0].id, title, ...RANGE }
  return (await (await page.request.post('/api/clips', { data })).json()).id
}

test('its page holds the file at its beginning, which the player takes over', async () => {
  const id = await makeClipOf('The first look')
  const text = await (await fetch(`${server.origin}/clip/${id}`)).text()
  expect(text).toMatch(/<video hidden[^>]*\.mp4#t=10\.4">/)
  await page.goto(`/clip/${id}`)
  const video = page.locator('[role="group"] video')
  expect(await video.getAttribute('src')).toMatch(/\.mp4#t=10\.4$/)
  await expect.poll(timeOf).toBeGreaterThan(10.5)
})

test('its page plays its part of the video and nothing else, by keys and the bar too', async () => {
  const id = await makeClipOf('The shot')
  await page.goto(`/clip/${id}?t=1`)
  await expect.poll(timeOf).toBeGreaterThan(11.5)
  await page.getByRole('heading', { level: 1, name: 'The shot' }).waitFor()
  const seek = page.getByRole('slider', { name: 'Seek' })
  expect(await seek.getAttribute('aria-valuemax')).toBe('3')
  // It stops at its end, and begins again from its beginning.
  await page.getByRole('button', { name: 'Replay' }).waitFor()
  expect(await timeOf()).toBeLessThan(RANGE.endSeconds + 0.3)
  await page.keyboard.press('k')
  await expect.poll(timeOf).toBeLessThan(13)
  expect(await timeOf()).toBeGreaterThanOrEqual(RANGE.startSeconds - 0.05)
  await page.keyboard.press('k')
  await expect.poll(isPaused).toBe(true)
  await page.keyboard.press('0')
  await expect.poll(timeOf).toBeCloseTo(RANGE.startSeconds, 1)
  await page.keyboard.press('l')
  await expect.poll(timeOf).toBeCloseTo(RANGE.endSeconds, 1)
  await page.keyboard.press('j')
  await expect.poll(timeOf).toBeCloseTo(RANGE.startSeconds, 1)
  await page.getByRole('link', { name: /From the whole video/ }).click()
  await page.waitForURL('**/video/*?t=10')
  await expect.poll(timeOf).toBeGreaterThanOrEqual(10)
})

test.each(
  isLongForm
    ? [
        { width: 667, height: 375 },
        { width: 844, height: 390 },
      ]
    : [],
)('at $width × $height the picture is in sight while its clip is made', async (viewport) => {
  await page.setViewportSize(viewport)
  await page.goto('/video/1')
  await page.getByRole('button', { name: 'Clip', exact: true }).click()
  const maker = page.getByRole('form', { name: 'New clip' })
  await maker.waitFor()
  const boxes = async () => [
    await page.locator('video').boundingBox(),
    await maker.boundingBox(),
    await page.getByRole('banner').boundingBox(),
  ]
  await expect
    .poll(async () => {
      const [picture, form, header] = await boxes()
      if (!picture || !form || !header) return false
      const isWhole = (box: typeof picture) =>
        box.y >= header.height - 1 && box.y + box.height <= viewport.height
      return isWhole(picture) && isWhole(form) && picture.x + picture.width <= form.x
    })
    .toBe(true)
  expect(await findOutside(page)).toEqual([])
  await page.setViewportSize(DESKTOP)
})

longTest(
  'it has likes and comments of its own, is renamed and deleted, and says when it is gone',
  async () => {
    const id = await makeClipOf('The second shot')
    await page.goto(`/clip/${id}`)
    const like = page.getByRole('button', { name: 'Like, 0' })
    // Nobody has liked it, and the button says so without a zero.
    expect(await like.innerText()).toBe('Like')
    await like.click()
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    await page.getByRole('textbox', { name: /comment/i }).fill('What a shot')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'What a shot' }).first().waitFor()
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('The better shot')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'The better shot' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Adjust start and end' }).click()
    const end = page.getByRole('slider', { name: 'Ends at' })
    for (const _ of [1, 2, 3, 4, 5]) await end.press('ArrowLeft')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const changed = await (await page.request.get(`/api/clips/${id}`)).json()
    expect(changed.endSeconds).toBeCloseTo(RANGE.endSeconds - 0.5, 2)
    await expect.poll(timeOf).toBeGreaterThan(RANGE.startSeconds - 0.1)
    await page.setViewportSize(PHONE)
    await expect.poll(() => findOutside(page)).toEqual([])
    expect(await auditPage(page)).toEqual([])
    // What is watched of a clip while it is being deleted is refused.
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete Clip' }).click()
    await page.waitForURL('**/video/*')
    await expect.poll(async () => (await isPaused()) === false).toBe(true)
    expect(await page.getByText('What a shot').count()).toBe(0)
    expect(problems).toEqual([])
    await page.goto(`/clip/${id}`)
    await page.getByRole('heading', { name: 'Clip not found' }).waitFor()
  },
)

longTest(
  'its menu makes a video of it, and its file to share comes while one looks at it',
  async () => {
    await page.setViewportSize(DESKTOP)
    const id = await makeClipOf('A shot to keep')
    // As when nobody had asked for the file yet.
    await writeRows(server, (db) =>
      changeRows(db, 'clips', { where: { id }, values: { fileState: 'none', shareFile: null } }),
    )
    problems.splice(0)
    await page.goto(`/clip/${id}`)
    await page.getByRole('button', { name: 'More ways to share' }).click()
    await page.getByRole('menuitem', { name: /Embed/ }).click()
    await page.getByRole('button', { name: 'Make a file for chats' }).click()
    await page.getByRole('link', { name: 'Download the file for chats' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Save as a video' }).click()
    await page.getByText('Saving as a video').waitFor()
    await page.getByRole('button', { name: 'Open the studio' }).click()
    await page.waitForURL('**/studio')
    await page.getByText('A shot to keep').first().waitFor()
    expect(problems).toEqual([])
  },
)

/** The video's files; a clip's own file to share is made a moment later. */
const mediaFiles = async () =>
  withStoreOf(server, async ({ media }) => {
    const names: string[] = []
    for await (const { key } of media.list('media/')) names.push(key)
    return names.filter((name) => !/clip-\d/.test(name))
  })

const openMaker = async () => {
  await page.getByRole('group', { name: 'Video player' }).waitFor()
  await expect.poll(timeOf).toBeGreaterThan(30)
  await page.keyboard.press('c')
  await page.getByRole('form', { name: 'New clip' }).waitFor()
}

test('two presses make a clip of the last 15 seconds, which plays, and no video is written', async () => {
  await page.setViewportSize(DESKTOP)
  await until(() =>
    writeRows(server, async (db) => {
      const jobs = await db.selectFrom('jobs').select('state').execute()
      return jobs.every(({ state }) => state === 'done')
    }),
  )
  const before = await mediaFiles()
  problems.splice(0)
  await page.goto('/video/1?t=30')
  await openMaker()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open the clip' }).click()
  await page.waitForURL('**/clip/*')
  await page.getByRole('heading', { level: 1, name: 'The whole match' }).waitFor()
  expect(await page.getByRole('slider', { name: 'Seek' }).getAttribute('aria-valuemax')).toBe('15')
  await expect.poll(timeOf).toBeGreaterThan(15.5)
  expect(await mediaFiles()).toEqual(before)
  expect(problems).toEqual([])
})

longTest('its maker describes keys where there are keys, and on phones none', async () => {
  const state = await page.context().storageState()
  for (const isPhone of [false, true]) {
    const { page: other } = await server.open({ isPhone, state })
    await other.goto('/video/1')
    await other.getByRole('button', { name: 'Clip', exact: true }).click()
    const form = other.getByRole('form', { name: 'New clip' })
    const keys = { description: /move an end by a frame/, includeHidden: true }
    await form.getByRole('slider', { name: 'End of the clip' }).waitFor()
    expect(await form.getByRole('slider', keys).count()).toBe(isPhone ? 0 : 2)
    expect(await form.locator('kbd').count()).toBe(isPhone ? 0 : 3)
  }
})

/** Too low for the player and the card of a new clip together. */
const LOW = { width: 1366, height: 640 }

const readClipboard = (of: Page) => of.evaluate(() => navigator.clipboard.readText())

longTest(
  'a new clip loops, has its link copied and can be renamed, and the next clip can follow',
  async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize(LOW)
    problems.splice(0)
    for (const content of ['0:28 - what a shot!', '0:29 nobody saw this']) {
      const data = { videoId: 1, content }
      expect((await page.request.post('/trpc/comment.create', { data })).status()).toBe(200)
    }
    await page.goto('/video/1?t=30')
    await openMaker()
    const title = page
      .getByRole('form', { name: 'New clip' })
      .getByRole('textbox', { name: 'Title' })
    await expect.poll(() => title.inputValue()).toBe('What a shot')
    await page.keyboard.press('Enter')
    const made = page.getByRole('region', { name: 'Your clip' })
    await made.getByText('Link copied').waitFor()
    // Everything on the card is in view.
    const foot = async () => {
      const box = await made.boundingBox()
      return box ? box.y + box.height : Number.NaN
    }
    await expect.poll(foot).toBeLessThanOrEqual(LOW.height)
    await page.setViewportSize(DESKTOP)
    const link = await readClipboard(page)
    expect(link).toMatch(/^http:\/\/.*\/clip\/\d+$/)
    const path = new URL(link).pathname
    // The clip plays in a loop, also in the small picture.
    await expect.poll(timeOf).toBeGreaterThan(26)
    await expect.poll(timeOf, { timeout: 30_000 }).toBeLessThan(20)
    const isDrawn = () =>
      made.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
        return pixels?.some((value) => value > 0 && value < 255) ?? false
      })
    await expect.poll(isDrawn).toBe(true)
    await keepPicture(page, 'clip-made')
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => findOutside(page)).toEqual([])
    await keepPicture(page, 'clip-made-landscape')
    await page.setViewportSize(DESKTOP)
    expect(await auditPage(page, { within: '[aria-label="Your clip"]' })).toEqual([])
    await made.getByRole('button', { name: 'Nobody saw this' }).click()
    await expect
      .poll(
        async () =>
          (await (await page.request.get(`/api${path.replace('clip', 'clips')}`)).json()).title,
      )
      .toBe('Nobody saw this')
    await made.getByRole('textbox', { name: 'Title' }).fill('My best shot')
    await page.keyboard.press('Enter')
    await made.getByRole('img', { name: 'Saved' }).waitFor()
    expect(await made.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('My best shot')
    await expect
      .poll(
        async () =>
          (await (await page.request.get(`/api${path.replace('clip', 'clips')}`)).json()).title,
      )
      .toBe('My best shot')
    await made.getByRole('link', { name: 'Download the file for chats' }).waitFor()
    await made.getByRole('button', { name: 'Next clip' }).click()
    const form = page.getByRole('form', { name: 'New clip' })
    const start = form.getByRole('slider', { name: 'Start of the clip' })
    expect(Number(await start.getAttribute('aria-valuenow'))).toBeGreaterThan(20)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  },
)

longTest(
  'on a phone a new clip can be sent with the share sheet, even without a clipboard',
  async () => {
    const state = await page.context().storageState()
    const phone = await server.open({ isPhone: true, state, isNew: true })
    const { page: other } = phone
    await other.addInitScript(() => {
      const shared: unknown[] = []
      const share = async ({ files = [], ...data }: ShareData) => {
        const sizes = files.map(({ name, type, size }) => ({ name, type, size }))
        shared.push({ ...data, files: sizes })
      }
      Object.assign(window, { shared })
      Object.defineProperty(navigator, 'share', { value: share })
      Object.defineProperty(navigator, 'canShare', { value: () => true })
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await other.goto('/video/1')
    await other.getByRole('button', { name: 'Clip', exact: true }).tap()
    await other
      .getByRole('form', { name: 'New clip' })
      .getByRole('button', { name: 'Create' })
      .tap()
    const made = other.getByRole('region', { name: 'Your clip' })
    await made.getByText('Your clip is ready').waitFor()
    await keepPicture(other, 'clip-made-phone')
    await made.getByRole('button', { name: 'Share', exact: true }).tap()
    const shared = () =>
      other.evaluate(() => (window as unknown as { shared: ShareData[] }).shared.map((one) => one))
    await expect.poll(shared).toMatchObject([{ url: expect.stringMatching(/\/clip\/\d+$/) }])
    await made.getByRole('button', { name: 'Send the file' }).tap()
    await expect.poll(async () => (await shared())[1]?.files).toHaveLength(1)
    const [file] = (await shared())[1]?.files ?? []
    const id = (await shared())[0]?.url?.split('/').at(-1)
    const { shareUrl, title } = (await (await other.request.get(`/api/clips/${id}`)).json()) as {
      shareUrl: string
      title: string
    }
    const { byteLength } = await (await other.request.get(shareUrl)).body()
    expect(file).toEqual({ name: `${title}.mp4`, type: 'video/mp4', size: byteLength })
    expect(await findOutside(other)).toEqual([])
    expect(await auditPage(other, { within: '[aria-label="Your clip"]' })).toEqual([])
    expect(phone.problems).toEqual([])
  },
)

longTest('the page of a clip links to clips of the same evening and game', async () => {
  const data = { videoId: 1, title: 'One of them', ...RANGE }
  const { id } = await (await page.request.post('/api/clips', { data })).json()
  const { id: otherId } = await writeRows(server, async (db) => {
    const video = await readRow(db, 'videos', { id: 1 })
    const [near = 0, far = 0] = await addVideos(db, [
      { userId: video.userId, title: 'Later that night', category: 'Rust' },
      {
        ...{ userId: video.userId, title: 'Long ago', category: video.category },
        publishedAt: '2026-01-01T00:00:00.000Z',
      },
    ])
    const row = {
      userId: video.userId,
      startSeconds: 1,
      endSeconds: 4,
      createdAt: video.publishedAt,
    }
    const clip = (videoId: number, title: string) => ({
      ...{ ...row, videoId, title, foldedTitle: title.toLowerCase() },
    })
    await addRows(db, 'clips', [clip(near, 'The last stand'), clip(far, 'The first raid')])
    return readRow(db, 'clips', { title: 'The last stand' })
  })
  const shifts = await watchLayout(page)
  await page.goto(`/clip/${id}`)
  const around = page.getByRole('region', { name: 'From the same evening, and more clips' })
  const titles = () => around.getByRole('link').allTextContents()
  await expect.poll(titles).toEqual(['The last stand', 'The first raid'])
  await around.scrollIntoViewIfNeeded()
  await keepPicture(page, 'clip-page-around')
  expect(await shifts()).toEqual([])
  await around.getByRole('link', { name: 'The last stand' }).click()
  await page.waitForURL(`/clip/${otherId}`)
  // The page of the other clip leads back to clips of the first video.
  await page
    .getByRole('region', { name: 'From the same evening' })
    .getByRole('link')
    .first()
    .waitFor()
})

/** Each end's time stands at its handle, in the form, and beside the other. */
async function expectTimesAtHandles(form: Locator) {
  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox()
    if (!box) throw new Error(`${locator} has no box.`)
    return { left: box.x, right: box.x + box.width, middle: box.x + box.width / 2 }
  }
  const timeOfHandle = async (handle: Locator) => {
    const text = (await handle.getAttribute('aria-valuetext')) ?? ''
    return boxOf(form.getByText(text, { exact: true }))
  }
  const [start, end] = ['Start of the clip', 'End of the clip'].map((name) =>
    form.getByRole('slider', { name }),
  ) as [Locator, Locator]
  const [startTime, endTime] = [await timeOfHandle(start), await timeOfHandle(end)]
  const whole = await boxOf(form)
  expect(startTime.left).toBeGreaterThanOrEqual(whole.left)
  expect(endTime.right).toBeLessThanOrEqual(whole.right)
  expect(startTime.right).toBeLessThan(endTime.left)
  // Within what two times beside each other take.
  expect(Math.abs(startTime.middle - (await boxOf(start)).middle)).toBeLessThan(80)
  expect(Math.abs(endTime.middle - (await boxOf(end)).middle)).toBeLessThan(80)
}

longTest(
  'its ends are moved by keys and a finger between 2 seconds and 3 minutes, and it plays over and over',
  async () => {
    await page.goto('/video/1?t=30')
    await openMaker()
    const form = page.getByRole('form', { name: 'New clip' })
    const start = form.getByRole('slider', { name: 'Start of the clip' })
    const end = form.getByRole('slider', { name: 'End of the clip' })
    const secondsOf = async (handle: typeof start) =>
      Number(await handle.getAttribute('aria-valuenow'))
    const [from, to] = [await secondsOf(start), await secondsOf(end)]
    expect(to - from).toBeCloseTo(15, 5)
    await end.focus()
    await page.keyboard.press('Shift+,')
    await page.keyboard.press('Shift+Comma')
    expect(await secondsOf(end)).toBeCloseTo(to - 2, 1)
    await page.keyboard.press('.')
    expect(await secondsOf(end)).toBeGreaterThan(to - 2)
    await page.keyboard.press('Home')
    await form.getByText('A clip is at least 2 seconds long.').waitFor()
    expect((await secondsOf(end)) - from).toBeCloseTo(2, 1)
    // It begins again from its start when it comes to its end.
    await expect.poll(timeOf).toBeGreaterThan(from + 1)
    await expect.poll(timeOf).toBeLessThan(from + 1)
    await page.setViewportSize(PHONE)
    await expectTimesAtHandles(form)
    expect(await auditPage(page, { within: 'form' })).toEqual([])
    expect(await findOutside(page)).toEqual([])
    const box = await start.boundingBox()
    if (!box) throw new Error('There is no handle.')
    expect(box.width).toBeGreaterThanOrEqual(44)
    await page.mouse.move(box.x + box.width / 2, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 - 40, box.y + 20)
    await page.mouse.up()
    expect(await secondsOf(start)).toBeLessThan(from - 1)
    for (const [handle, key] of [
      [start, 'Home'],
      [end, 'Home'],
      [end, 'End'],
      [start, 'End'],
    ] as const) {
      await handle.focus()
      await page.keyboard.press(key)
      await expectTimesAtHandles(form)
    }
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  },
)
