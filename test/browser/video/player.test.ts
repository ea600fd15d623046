import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page, Request } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { DESKTOP, PHONE, type SavedState } from '#test/support/browser.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { uploadClip } from '#test/support/shared-clip.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const SECONDS = 20
/** Making the renditions takes long while others compute. */
const PREPARED = { timeoutMs: 110_000 }
const DESCRIPTION = '0:00 The drop\n0:06 First blood\n0:14 The clutch'

const server = setUpHostedSite({ env: { RENDITIONS: isLongForm ? '360,240' : '240' } })
const folder = setUpFolder('player')
/** Signed in as the videos' owner. */
let state: SavedState
let matchId: number
let nextId: number

beforeAll(async () => {
  const { page } = await server.open()
  await register(page, 'nova')
  const match = await makeClip({
    path: join(folder, 'match.mp4'),
    width: 480,
    height: 360,
    seconds: SECONDS,
    audioTracks: 2,
  })
  const short = await makeClip({ path: join(folder, 'short.mp4'), seconds: 2 })
  nextId = await uploadClip(page, short, { title: 'The next match' })
  matchId = await uploadClip(page, match, { title: 'The long match', description: DESCRIPTION })
  await page.request.post('/api/comments', {
    data: { videoId: matchId, userId: 1, content: 'What a shot at 0:16' },
  })
  await until(async () => {
    const answer = await page.request.get(`/api/videos/${matchId}`)
    const video = (await answer.json()) as { hlsUrl: string | null; storyboardUrl: string | null }
    return video.hlsUrl !== null && video.storyboardUrl !== null
  }, PREPARED)
  state = await page.context().storageState()
  await page.context().close()
})

type Open = {
  origin?: string
  path?: string
  isMember?: boolean
  isPhone?: boolean
  viewport?: typeof PHONE
  memory?: object
}

/** A page on the long match, muted, with the player ready. */
async function openPlayer(options: Open = {}) {
  const { path, isMember = false, isPhone = false, viewport, memory } = options
  const { origin = server.origin } = options
  const { page, problems } = await server.open({
    ...{ origin, isPhone, ...(viewport && { viewport }) },
    state: isMember ? state : undefined,
  })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(
    arrive,
    JSON.stringify({ isMuted: true, volume: 0.5, startsItself: false, ...memory }),
  )
  const mediaRequests: Request[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('.mp4')) mediaRequests.push(request)
  })
  await page.goto(path ?? `/video/${matchId}`)
  await ready(page)
  const player = page.getByRole('group', { name: 'Video player' })
  return { page, player, mediaRequests, problems }
}

/** As from a link: what the test asks of the page does not count as a gesture, which would start the video. */
function arrive(text: string): void {
  if (!localStorage.getItem('clutch-player')) localStorage.setItem('clutch-player', text)
  const activation = { hasBeenActive: false }
  Object.defineProperty(navigator, 'userActivation', { value: activation })
  for (const type of ['keydown', 'pointerdown']) {
    addEventListener(type, () => Object.assign(activation, { hasBeenActive: true }), true)
  }
}

/** The video has a picture, and is the player's: its loading begins before the player is there. */
const ready = (page: Page) =>
  page.waitForFunction(() => {
    const video = document.querySelector<HTMLVideoElement>('[role="group"] video')
    return (video?.readyState ?? 0) >= 2
  })

const media = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    time: video.currentTime,
    isPaused: video.paused,
    isMuted: video.muted,
    volume: video.volume,
    rate: video.playbackRate,
    height: video.videoHeight,
    src: video.currentSrc,
  }))

const timeOf = async (page: Page) => (await media(page)).time

async function playsFrom(page: Page, seconds: number) {
  await expect.poll(() => timeOf(page), { timeout: 10_000 }).toBeGreaterThan(seconds)
}

test('the keys play, seek, mute and change the speed', async () => {
  const { page, problems } = await openPlayer()
  await page.keyboard.press('k')
  await playsFrom(page, 0.2)
  await page.keyboard.press('Space')
  await expect.poll(async () => (await media(page)).isPaused).toBe(true)
  await page.keyboard.press('5')
  await expect.poll(() => timeOf(page)).toBeCloseTo(SECONDS / 2, 1)
  await page.keyboard.press('l')
  await expect.poll(() => timeOf(page)).toBeGreaterThan(19.5)
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => timeOf(page)).toBeCloseTo(SECONDS - 15, 0)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => timeOf(page)).toBeCloseTo(SECONDS - 10, 0)
  const before = await timeOf(page)
  await page.keyboard.press('.')
  await expect.poll(() => timeOf(page)).toBeCloseTo(before + 1 / 30, 2)
  await page.keyboard.press(',')
  await expect.poll(() => timeOf(page)).toBeCloseTo(before, 2)
  await page.keyboard.press('m')
  expect((await media(page)).isMuted).toBe(false)
  await page.keyboard.press('>')
  await page.getByText('1.25×', { exact: true }).first().waitFor()
  await page.keyboard.press('<')
  await page.keyboard.press('<')
  expect((await media(page)).rate).toBe(0.75)
  await page.keyboard.press('Control+ArrowRight')
  await expect.poll(() => timeOf(page)).toBeCloseTo(14, 0)
  expect(problems).toEqual([])
})

longTest(
  'the keys go to every tenth, to the start and the end, and to the chapter before',
  async () => {
    const { page, player, problems } = await openPlayer()
    for (const tenth of [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]) {
      await page.keyboard.press(String(tenth))
      await expect.poll(() => timeOf(page)).toBeCloseTo((SECONDS * tenth) / 10, 1)
    }
    // Elsewhere on the page they scroll, as everywhere.
    await page.keyboard.press('End')
    expect(await timeOf(page)).toBe(0)
    await player.getByRole('button', { name: 'Play (k)' }).focus()
    await page.keyboard.press('End')
    await expect.poll(() => timeOf(page)).toBeCloseTo(SECONDS, 1)
    await page.keyboard.press('Control+ArrowLeft')
    await expect.poll(() => timeOf(page)).toBeCloseTo(14, 1)
    await page.keyboard.press('Home')
    await expect.poll(() => timeOf(page)).toBe(0)
    expect(problems).toEqual([])
  },
)

longTest('up and down change the volume in the player, and scroll the page elsewhere', async () => {
  const { page, player, problems } = await openPlayer({ memory: { isMuted: false } })
  const volume = async () => (await media(page)).volume
  const scrolled = () => page.evaluate(() => document.scrollingElement?.scrollTop ?? 0)
  await player.getByRole('button', { name: 'Play (k)' }).focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(volume).toBeCloseTo(0.55, 2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(volume).toBeCloseTo(0.45, 2)
  expect(await scrolled()).toBe(0)
  await player.getByRole('button', { name: 'Play (k)' }).blur()
  await page.keyboard.press('ArrowDown')
  await expect.poll(scrolled).toBeGreaterThan(0)
  expect(await volume()).toBeCloseTo(0.45, 2)
  expect(problems).toEqual([])
})

test('an address asks for nothing twice, and a card plays without waiting for an answer', async () => {
  // Ample, or a slow answer would lead to a rendition, whose segments are one file.
  const { page, mediaRequests, problems } = await openPlayer({
    memory: { bandwidth: 100_000_000 },
  })
  const asked = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => /video\.get|\/watch-page.*js$|poster/.test(path)),
  )
  expect(asked).toEqual([...new Set(asked)])
  // A browser that stopped reading a file reads on from there, which is not the same bytes again.
  const ranges = await Promise.all(mediaRequests.map((request) => request.headerValue('range')))
  expect(ranges).toContain('bytes=0-')
  expect(ranges).not.toContain(null)
  expect(ranges).toEqual([...new Set(ranges)])

  await page.goto('/')
  const card = page.getByRole('link', { name: 'The long match' }).first()
  await card.waitFor()
  await page.route('**/trpc/**video.get**', () => undefined)
  await card.click()
  await ready(page)
  await page.getByRole('heading', { name: 'The long match' }).waitFor()
  expect(problems).toEqual([])
})

test('a video that is paused before its picture appears stays paused', async () => {
  const { page } = await openPlayer({ memory: { bandwidth: 100_000_000 } })
  await page.goto('/')
  const card = page.getByRole('link', { name: 'The long match' }).first()
  await card.hover()
  // Without the answer of `video.get` the player chooses its source after a second.
  await page.route('**/trpc/**video.get**', () => undefined)
  await card.click()
  await page.waitForFunction(() => document.querySelector('video')?.paused === false)
  await page.keyboard.press('k')
  expect((await media(page)).isPaused).toBe(true)
  await page.waitForTimeout(1500)
  expect((await media(page)).isPaused).toBe(true)
})

longTest('the space bar plays at 2× for as long as it is held', async () => {
  const { page } = await openPlayer()
  await page.keyboard.down('Space')
  await page.getByText('2×', { exact: true }).waitFor()
  expect((await media(page)).rate).toBe(2)
  await page.keyboard.up('Space')
  await expect.poll(async () => (await media(page)).rate).toBe(1)
  expect((await media(page)).isPaused).toBe(false)
})

test('the bar shows and does everything, and its choices are remembered', async () => {
  const { page, player, problems } = await openPlayer()
  await player.getByRole('button', { name: 'Play (k)' }).click()
  await playsFrom(page, 0.1)
  await player.getByRole('button', { name: 'Pause (k)' }).click()
  await player.getByRole('button', { name: 'Unmute (m)' }).click()
  await player.getByRole('button', { name: 'Mute (m)' }).hover()
  await player.getByRole('slider', { name: 'Volume' }).fill('0.3')
  expect((await media(page)).volume).toBeCloseTo(0.3, 1)
  await player.getByRole('slider', { name: 'Volume' }).press('ArrowLeft')
  await expect.poll(async () => (await media(page)).volume).toBeCloseTo(0.25, 1)
  // The slider loses the focus, but stays: the time must still be below the pointer when the press ends.
  await player.getByText(`/ 0:${SECONDS}`).click({ delay: 1000 })
  await player.getByText(/^−0:/).waitFor({ timeout: 5000 })
  const sliderWidth = async () =>
    (await player.getByRole('slider', { name: 'Volume' }).boundingBox())?.width
  expect(await sliderWidth()).toBe(76)
  await page.mouse.move(700, 700)
  await expect.poll(sliderWidth).toBe(0)

  const width = async () => (await player.boundingBox())?.width ?? 0
  const small = await width()
  await player.getByRole('button', { name: 'Theatre mode (t)' }).click()
  const pageWidth = await page.evaluate(() => document.body.getBoundingClientRect().width)
  expect(small).toBeLessThan(pageWidth - 100)
  await expect.poll(width).toBe(pageWidth)
  await player.getByRole('button', { name: 'Full screen (f)' }).click()
  await player.getByRole('button', { name: 'Exit full screen (f)' }).waitFor()
  await page.keyboard.press('f')
  await player.getByRole('button', { name: 'Full screen (f)' }).waitFor()

  await page.reload()
  await ready(page)
  await player.getByRole('button', { name: 'Default view (t)' }).waitFor()
  expect((await media(page)).isMuted).toBe(false)
  await expect.poll(() => player.getByRole('slider', { name: 'Volume' }).inputValue()).toBe('0.25')
  await page.keyboard.press('t')
  await expect.poll(width).toBe(small)
  expect(problems).toEqual([])
})

longTest(
  'the seek bar previews pictures, chapters and comments, and shows what is watched most',
  async () => {
    const heat = [10, 80].map((slice) => ({ videoId: matchId, slice, seconds: SECONDS * 2 }))
    await writeRows(server, (db) => db.insertInto('heat').values(heat).execute())
    const { page, player, problems } = await openPlayer()
    const bar = player.getByRole('slider', { name: 'Seek' })
    const box = await bar.boundingBox()
    if (!box) throw new Error('There is no seek bar.')
    await page.mouse.move(box.x + 5, box.y + 10)
    await page.mouse.move(box.x + box.width * 0.805, box.y + 10)
    await bar.getByText('0:16', { exact: true }).waitFor()
    await bar.getByText('The clutch').waitFor()
    await bar.getByText('What a shot at 0:16').waitFor()
    const picture = bar.locator('[style*=storyboard]')
    await picture.waitFor()
    await expect
      .poll(() =>
        bar
          .locator('svg[preserveAspectRatio]')
          .evaluate((curve) => getComputedStyle(curve).opacity),
      )
      .toBe('1')
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10)
    await page.mouse.up()
    await expect.poll(() => timeOf(page)).toBeCloseTo(SECONDS / 2, 0)
    // The stream is some hundredths of a second shorter than the file.
    expect(await bar.getAttribute('aria-valuetext')).toMatch(
      /^0:(09|10) of 0:(19|20), First blood$/,
    )
    await bar.focus()
    await bar.press('PageUp')
    await expect.poll(() => timeOf(page)).toBeCloseTo(12, 0)
    await bar.press('Home')
    await expect.poll(() => timeOf(page)).toBe(0)
    expect(problems).toEqual([])
  },
)

longTest(
  'members mark moments with B, take that back, and everybody jumps between them',
  async () => {
    const { page, player } = await openPlayer({ isMember: true })
    const curve = player.locator('svg[preserveAspectRatio]')
    await curve.waitFor({ state: 'attached' })
    await page.keyboard.press(']')
    await expect.poll(() => timeOf(page)).toBeCloseTo(8, 0)
    await player
      .getByText(/^Moment 1 of \d$/)
      .first()
      .waitFor()
    const marks = async () => {
      const answer = await page.request.get(`/api/videos/${matchId}/moments`)
      const moments = (await answer.json()) as { count: number }[]
      return moments.reduce((sum, { count }) => sum + count, 0)
    }
    await page.keyboard.press('b')
    await page.getByText('Marked 0:08').first().waitFor()
    await expect.poll(marks).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(marks).toBe(0)
    const mark = player.getByRole('button', { name: 'Mark this moment (b)' })
    await mark.waitFor({ state: 'attached' })
    // Not the sign of a report.
    expect(await mark.locator('.tabler-icon-flag').count()).toBe(0)
  },
)

longTest(
  'speed, quality, sound track and chapter are chosen in the menu by the keys alone',
  async () => {
    const { page, player, problems } = await openPlayer()
    const gear = player.getByRole('button', { name: 'Settings' })
    const menu = (name: string) => player.getByRole('menu', { name })
    await page.keyboard.press('k')
    await gear.focus()
    await gear.press('Enter')
    await menu('Settings').waitFor()
    expect(await auditPage(page, { within: '[role=group]' })).toEqual([])

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await menu('Speed').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    expect((await media(page)).rate).toBe(2)
    await expect.poll(() => gear.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('<')

    await gear.press('Enter')
    await page.keyboard.press('Enter')
    await menu('Quality').waitFor()
    await menu('Quality')
      .getByRole('menuitemradio', { name: /^Auto now \d+p$/ })
      .waitFor()
    await menu('Quality').getByRole('menuitemradio', { name: '240p', exact: true }).press('Enter')
    await expect.poll(async () => (await media(page)).height, { timeout: 10_000 }).toBe(240)
    expect((await media(page)).src).toMatch(/^blob:/)
    expect((await media(page)).isPaused).toBe(false)

    await gear.press('Enter')
    await menu('Settings')
      .getByRole('menuitem', { name: /^Audio track/ })
      .press('Enter')
    await menu('Audio track').getByRole('menuitemradio', { name: 'Track 2' }).press('Enter')
    await gear.press('Enter')
    await menu('Settings')
      .getByRole('menuitem', { name: /^Audio track.*Track 2/ })
      .waitFor()
    await page.keyboard.press('Escape')

    await gear.press('Enter')
    await menu('Settings')
      .getByRole('menuitem', { name: /^Chapters/ })
      .press('Enter')
    await menu('Chapters')
      .getByRole('menuitemradio', { name: /First blood/ })
      .press('Enter')
    await expect.poll(() => timeOf(page)).toBeGreaterThan(5.9)

    await gear.press('Enter')
    await menu('Settings')
      .getByRole('menuitem', { name: /^Speed/ })
      .press('ArrowRight')
    await page.keyboard.press('Escape')
    await menu('Settings').waitFor()
    await page.keyboard.press('Escape')
    await menu('Settings').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  },
)

longTest('it repeats, keeps the screen lit and answers to media keys', async () => {
  const { page, player, problems } = await openPlayer()
  await page.evaluate(() => {
    const asked: string[] = []
    const request = navigator.wakeLock.request.bind(navigator.wakeLock)
    Object.assign(window, { asked })
    navigator.wakeLock.request = async (type) => {
      asked.push(String(type))
      return request(type)
    }
  })
  await page.keyboard.press('k')
  await playsFrom(page, 0.2)
  const known = await page.evaluate(() => ({
    title: navigator.mediaSession.metadata?.title,
    state: navigator.mediaSession.playbackState,
    asked: (window as unknown as { asked: string[] }).asked,
  }))
  expect(known).toEqual({ title: 'The long match', state: 'playing', asked: ['screen'] })

  const gear = player.getByRole('button', { name: 'Settings' })
  const choices = ['Loop', 'Level loudness'].map((name) =>
    player.getByRole('menuitemcheckbox', { name }),
  )
  await gear.press('Enter')
  for (const choice of choices) {
    const before = await choice.getAttribute('aria-checked')
    await choice.press('Enter')
    expect(await choice.getAttribute('aria-checked')).not.toBe(before)
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('End')
  await expect.poll(() => timeOf(page)).toBeLessThan(SECONDS / 2)
  await playsFrom(page, 0.2)
  expect((await media(page)).isPaused).toBe(false)
  expect(problems).toEqual([])
})

longTest(
  'the bar’s button and a key take the video out into a window of its own, and back',
  async () => {
    const { page, player, problems } = await openPlayer()
    const enter = player.getByRole('button', { name: /^Picture in picture/ })
    const leave = player.getByRole('button', { name: /^Leave picture in picture/ })
    const outside = () => page.evaluate(() => document.pictureInPictureElement?.tagName)
    await player.hover()
    await enter.click()
    await leave.waitFor()
    expect(await outside()).toBe('VIDEO')
    await leave.press('Enter')
    await enter.waitFor()
    expect(await outside()).toBe(undefined)
    await page.keyboard.press('i')
    await leave.waitFor()
    expect(await outside()).toBe('VIDEO')
    await page.keyboard.press('i')
    await enter.waitFor()
    expect(await outside()).toBe(undefined)
    expect(problems).toEqual([])
  },
)

longTest('?t= begins there, and the context menu copies such a link', async () => {
  const { page, player } = await openPlayer({ path: `/video/${matchId}?t=0m7s` })
  await expect.poll(() => timeOf(page)).toBeCloseTo(7, 1)
  await page.locator('video').click({ button: 'right', position: { x: 90, y: 60 } })
  await page.getByRole('menuitem', { name: 'Copy link at 0:07' }).click()
  await page.getByText('Video link at 0:07 copied to clipboard.').waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${server.origin}/video/${matchId}?t=7`)
  await page.locator('video').click({ button: 'right', position: { x: 90, y: 60 } })
  await page.getByRole('menuitem', { name: 'Stats for nerds' }).click()
  await player.getByText('480×360', { exact: false }).waitFor()
  await player.getByRole('button', { name: 'Close stats' }).click()
  await player.getByText('480×360', { exact: false }).waitFor({ state: 'detached' })
})

test('the shown picture is copied, saved and shared in full size while a small rendition plays', async () => {
  const { page } = await openPlayer({
    path: `/video/${matchId}?t=7`,
    isMember: true,
    memory: { quality: 240 },
  })
  await expect.poll(async () => (await media(page)).height, { timeout: 10_000 }).toBe(240)
  await expect.poll(() => timeOf(page)).toBeCloseTo(7, 1)
  const choose = async (name: string) => {
    await page.locator('video').click({ button: 'right', position: { x: 90, y: 60 } })
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Copy this picture')
  await page.getByText('The picture and its link were copied.').waitFor()
  const recording = await readFile(join(folder, 'match.mp4'), 'base64')
  const copied = await page.evaluate(compareCopied, recording)
  expect(copied).toMatchObject({
    width: 480,
    height: 360,
    link: `${server.origin}/video/${matchId}?t=7`,
  })
  expect(copied.difference).toBeLessThan(2)

  const [download] = await Promise.all([page.waitForEvent('download'), choose('Save this picture')])
  expect(download.suggestedFilename()).toBe('The long match 0.07.png')
  const saved = await readFile(await download.path())
  expect([saved.readUInt32BE(16), saved.readUInt32BE(20)]).toEqual([480, 360])

  // Chromium has no share sheet on this system.
  await page.evaluate(() => {
    navigator.canShare = () => true
    navigator.share = async (data) => void Object.assign(window, { shared: data })
  })
  await choose('Share as picture')
  const shared = () =>
    page.evaluate(() => {
      const { shared } = window as unknown as { shared?: ShareData }
      return shared && { text: shared.text, size: shared.files?.[0]?.size }
    })
  await expect
    .poll(shared)
    .toEqual({ text: `${server.origin}/video/${matchId}?t=7`, size: saved.length })
})

longTest('a picture that cannot be read is reported', async () => {
  const { page } = await openPlayer({ memory: { quality: 240 } })
  await expect.poll(async () => (await media(page)).height, { timeout: 10_000 }).toBe(240)
  await page.route('**/*.mp4*', (route) => route.abort())
  await page.getByRole('button', { name: 'More ways to share' }).click()
  await page.getByRole('menuitem', { name: 'Save this picture' }).click()
  await page.getByText('The picture could not be read from the video.').waitFor()
})

/** Compares the copied picture with the frame of the uploaded file (base64) at 7 s. `difference` is a mean, from 0 to 255. */
async function compareCopied(recording: string) {
  const [item] = await navigator.clipboard.read()
  if (!item) throw new Error('Nothing was copied.')
  const link = await (await item.getType('text/plain')).text()
  const picture = await createImageBitmap(await item.getType('image/png'))
  const video = document.createElement('video')
  const heard = (event: string) =>
    new Promise((resolve, reject) => {
      video.addEventListener(event, resolve, { once: true })
      video.addEventListener('error', reject, { once: true })
    })
  const loaded = heard('loadeddata')
  video.src = URL.createObjectURL(
    new Blob([Uint8Array.from(atob(recording), (sign) => sign.charCodeAt(0))]),
  )
  await loaded
  const seeked = heard('seeked')
  video.currentTime = 7
  await seeked
  const { width, height } = picture
  const pixelsOf = (source: CanvasImageSource) => {
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (!context) throw new Error('There is no canvas.')
    context.drawImage(source, 0, 0)
    return context.getImageData(0, 0, width, height).data
  }
  const [copied, expected] = [pixelsOf(picture), pixelsOf(video)]
  const sum = copied.reduce((total, value, at) => total + Math.abs(value - (expected[at] ?? 0)), 0)
  return { width, height, link, difference: sum / copied.length }
}

longTest('a question mark opens the list of keys, but not while something is typed', async () => {
  const { page } = await openPlayer({ isMember: true })
  const field = page.getByRole('textbox', { name: 'Add a comment' })
  await field.fill('really')
  await field.press('?')
  await field.press('k')
  expect(await field.inputValue()).toBe('really?k')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(await sheet.count()).toBe(0)
  expect((await media(page)).isPaused).toBe(true)
  await field.blur()
  await page.keyboard.press('?')
  await sheet.getByText('Picture in picture').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
})

longTest('the controls hide three seconds after the last move while it plays', async () => {
  const { page, player } = await openPlayer()
  const shown = () => player.evaluate((root) => !('idle' in root.dataset))
  await page.mouse.move(400, 300)
  await page.keyboard.press('k')
  await page.mouse.move(420, 300)
  await playsFrom(page, 2)
  expect(await shown()).toBe(true)
  await expect.poll(shown, { timeout: 4000 }).toBe(false)
  await page.mouse.move(440, 320)
  await expect.poll(shown).toBe(true)
})

longTest('on a phone its menus are sheets at the lower edge, with rows for fingers', async () => {
  const { page, player } = await openPlayer({ isPhone: true })
  const gear = player.getByRole('button', { name: 'Settings' })
  await gear.tap()
  const sheet = page.getByRole('dialog', { name: 'Player menu' })
  const rows = sheet.getByRole('menu', { name: 'Settings' }).locator('[role^="menuitem"]')
  await rows.first().waitFor()
  const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
  await expect
    .poll(async () => {
      const box = await sheet.boundingBox()
      return box && [Math.round(box.x), Math.round(box.width), Math.round(box.y + box.height)]
    })
    .toEqual([0, PHONE.width, PHONE.height])
  expect(await auditPage(page, { within: '[role="dialog"]' })).toEqual([])
  await sheet.getByRole('menuitem', { name: /^Speed/ }).tap()
  await sheet.getByRole('menuitemradio', { name: '1.5×' }).tap()
  await sheet.waitFor({ state: 'detached' })
  expect((await media(page)).rate).toBe(1.5)
  await gear.tap()
  await sheet.getByRole('menuitem', { name: /^Quality/ }).tap()
  await sheet.getByRole('menu', { name: 'Quality' }).waitFor()
  // Beside it.
  await page.touchscreen.tap(PHONE.width / 2, 60)
  await sheet.waitFor({ state: 'detached' })
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
})

longTest('a member goes on where they left off', async () => {
  const { page } = await openPlayer({ isMember: true })
  await page.keyboard.press('6')
  await page.keyboard.press('k')
  await playsFrom(page, 13)
  const reported = page.waitForResponse((answer) => answer.url().includes('history.report'))
  await page.keyboard.press('k')
  await reported
  await page.reload()
  await ready(page)
  await expect.poll(() => timeOf(page)).toBeGreaterThan(12.9)
})

longTest('the next video follows after a countdown that can be cancelled', async () => {
  const { page, player } = await openPlayer()
  await page.keyboard.press('9')
  await page.keyboard.press('k')
  const upNext = player.getByRole('region', { name: 'Up next' })
  await upNext.getByText('The next match').waitFor({ timeout: 10_000 })
  await page.keyboard.press('Enter')
  await upNext.waitFor({ state: 'detached' })
  await player.getByRole('button', { name: 'Replay (k)' }).click()
  await playsFrom(page, 0.1)
  await player.getByRole('button', { name: 'Settings' }).click()
  const autoplay = player.getByRole('menuitemcheckbox', { name: 'Autoplay next' })
  await autoplay.click()
  expect(await autoplay.getAttribute('aria-checked')).toBe('false')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+N')
  await page.waitForURL(`/video/${nextId}`)
  await playsFrom(page, 0.1)
  await player.getByRole('button', { name: 'Replay (k)' }).waitFor({ timeout: 10_000 })
  expect(await upNext.count()).toBe(0)
})

/** Lets the long match come to its end. */
const playToEnd = (page: Page) =>
  page.locator('[role="group"] video').evaluate((element) => {
    const video = element as HTMLVideoElement
    video.currentTime = video.duration - 0.5
    return video.play()
  })

longTest(
  'the next video waits while its viewer reads below, and counts on when they are back',
  async () => {
    const { page, player, problems } = await openPlayer()
    await page.setViewportSize({ width: 1440, height: 500 })
    await page.mouse.move(300, 300)
    await page.mouse.wheel(0, 420)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
    await playToEnd(page)
    const upNext = player.getByRole('region', { name: 'Up next' })
    const heading = upNext.getByRole('timer')
    await heading.waitFor()
    expect(await heading.textContent()).toBe('Up next')
    // Longer than the rest after scrolling.
    await page.waitForTimeout(2500)
    expect(await heading.textContent()).toBe('Up next')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.mouse.wheel(0, -420)
    await page.setViewportSize(DESKTOP)
    await upNext.getByText(/^Up next in [4-8]$/).waitFor()
    await player.getByRole('button', { name: 'Settings' }).click()
    await expect.poll(() => heading.textContent()).toBe('Up next')
    await page.keyboard.press('Escape')
    await upNext.getByText(/^Up next in [4-8]$/).waitFor()
    expect(problems).toEqual([])
  },
)

longTest(
  'the next video waits for what is being written, and follows once nothing is',
  async () => {
    const { page, player } = await openPlayer({ isMember: true })
    const field = page.getByRole('textbox', { name: 'Add a comment' })
    await field.fill('Half a')
    await field.blur()
    await page.evaluate(() => scrollTo(0, 0))
    await playToEnd(page)
    const heading = player.getByRole('region', { name: 'Up next' }).getByRole('timer')
    await heading.waitFor()
    await page.waitForTimeout(3000)
    expect(await heading.textContent()).toBe('Up next')
    await field.fill('')
    await field.blur()
    await page.evaluate(() => scrollTo(0, 0))
    await page.waitForURL(`/video/${nextId}`, { timeout: 20_000 })
  },
)

type Box = { x: number; y: number; width: number; height: number }

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} has no box.`)
  return box
}

const SIDEWAYS = { width: 844, height: 390 }
const SMALL_SIDEWAYS = { width: 667, height: 375 }

test('on a phone a tap shows the controls, a second one pauses, and two at a side seek', async () => {
  const { page, player, problems } = await openPlayer({ isPhone: true })
  const box = await boxOf(player)
  const [left, centre, right] = [0.15, 0.5, 0.85].map((share) => box.x + box.width * share)
  // Beside the button in the middle.
  const y = box.y + 30
  const isIdle = () => player.evaluate((root) => 'idle' in (root as HTMLElement).dataset)
  await player.getByRole('button', { name: 'Play', exact: true }).tap()
  await playsFrom(page, 0.2)
  await expect.poll(isIdle, { timeout: 6000 }).toBe(true)
  await page.touchscreen.tap(centre ?? 0, box.y + box.height / 2)
  await expect.poll(isIdle).toBe(false)
  expect((await media(page)).isPaused).toBe(false)
  await page.touchscreen.tap(centre ?? 0, y)
  await expect.poll(async () => (await media(page)).isPaused).toBe(true)
  await page.touchscreen.tap(right ?? 0, y)
  await page.touchscreen.tap(right ?? 0, y)
  await player.getByText('+10 s').first().waitFor()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(10)
  await page.waitForTimeout(400)
  expect((await media(page)).isPaused).toBe(true)
  await page.touchscreen.tap(left ?? 0, y)
  await page.touchscreen.tap(left ?? 0, y)
  await player.getByText('−10 s').first().waitFor()
  await expect.poll(() => timeOf(page)).toBeLessThan(9)
  // No keys where there are none.
  const named = await player
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(named.filter((name) => /\(.+\)$/.test(name ?? ''))).toEqual([])
  await player.getByRole('button', { name: 'Settings' }).tap()
  await page.getByRole('menuitem', { name: 'Stats for nerds' }).waitFor()
  expect(await page.getByText('Keyboard shortcuts').count()).toBe(0)
  expect(problems).toEqual([])
})

test.each(isLongForm ? [PHONE, SIDEWAYS, SMALL_SIDEWAYS] : [])(
  'at $width × $height the player is in sight as a whole, and its end card leaves the bar free',
  async (viewport) => {
    const { page, player } = await openPlayer({ isPhone: true, viewport })
    const box = await boxOf(player)
    const header = await boxOf(page.getByRole('banner'))
    const tabs = page.getByRole('navigation', { name: 'Tabs' })
    const lower = (await tabs.isVisible()) ? (await boxOf(tabs)).y : viewport.height
    expect(box.y).toBeGreaterThanOrEqual(header.y + header.height)
    expect(box.y + box.height).toBeLessThanOrEqual(lower)
    await playToEnd(page)
    const upNext = player.getByRole('region', { name: 'Up next' })
    const inside = [upNext.getByRole('timer'), ...(await upNext.getByRole('button').all())]
    const bar = [
      player.getByRole('slider', { name: 'Seek' }),
      player.getByRole('button', { name: 'Replay' }),
    ]
    await upNext.waitFor()
    for (const one of inside) {
      const own = await boxOf(one)
      expect(own.y).toBeGreaterThanOrEqual(box.y)
      for (const other of bar) expect(overlap(own, await boxOf(other))).toBe(false)
    }
    // Picture and words lie in the middle, as the buttons below do.
    const middles = await upNext.locator('> div').evaluateAll((all) =>
      all.map((one) => {
        const contents = document.createRange()
        contents.selectNodeContents(one)
        const { left, right } = contents.getBoundingClientRect()
        return (left + right) / 2
      }),
    )
    for (const middle of middles) expect(middle).toBeCloseTo(box.x + box.width / 2, 0)
  },
)

longTest(
  'a phone turned sideways shows what plays in full screen, until it is turned back',
  async () => {
    const { page, player, problems } = await openPlayer({ isPhone: true })
    const client = await page.context().newCDPSession(page)
    const turn = (isSideways: boolean) =>
      client.send('Emulation.setDeviceMetricsOverride', {
        ...(isSideways ? SIDEWAYS : PHONE),
        ...{ deviceScaleFactor: 1, mobile: true },
        screenOrientation: isSideways
          ? { type: 'landscapePrimary', angle: 90 }
          : { type: 'portraitPrimary', angle: 0 },
      })
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
    await turn(false)
    await turn(true)
    await page.waitForFunction(() => screen.orientation.type === 'landscape-primary')
    expect(await isFull()).toBe(false)
    await turn(false)
    await player.getByRole('button', { name: 'Play', exact: true }).tap()
    await playsFrom(page, 0.2)
    await turn(true)
    await expect.poll(isFull).toBe(true)
    await turn(false)
    await expect.poll(isFull).toBe(false)
    expect((await media(page)).isPaused).toBe(false)
    expect(problems).toEqual([])
  },
)

longTest('two taps skip, and a swipe seeks', async () => {
  const { page, player } = await openPlayer({ isPhone: true })
  const box = await player.boundingBox()
  if (!box) throw new Error('There is no player.')
  const right = { x: box.x + box.width * 0.85, y: box.y + 60 }
  await page.touchscreen.tap(right.x, right.y)
  await page.touchscreen.tap(right.x, right.y)
  await player.getByText('+10 s').first().waitFor()
  await expect.poll(() => timeOf(page)).toBeCloseTo(10, 0)
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: x === undefined ? [] : [{ x, y: right.y }],
    })
  await touch('touchStart', box.x + box.width * 0.6)
  await touch('touchMove', box.x + box.width * 0.5)
  await touch('touchMove', box.x + box.width * 0.35)
  await touch('touchEnd')
  await expect.poll(() => timeOf(page)).toBeCloseTo(5, 0)
})

longTest(
  'approvals, moments and the preview of an upload have the same player, and keep their own keys',
  async () => {
    await writeRows(server, async (db) => {
      await db.updateTable('users').set({ isAdmin: 1 }).execute()
      await db.updateTable('videos').set({ contentApproved: 0 }).where('id', '=', matchId).execute()
    })
    const { page, player, problems } = await openPlayer({
      isMember: true,
      path: '/admin/approvals',
    })
    await page.keyboard.press('Space')
    await playsFrom(page, 0.2)
    await player.locator('video').click()
    await expect.poll(async () => (await media(page)).isPaused).toBe(true)
    const at = await timeOf(page)
    await page.keyboard.press('j')
    await player.press('ArrowRight')
    await expect.poll(() => timeOf(page)).toBeCloseTo(at + 5, 0)
    await player.press('Space')
    await expect.poll(async () => (await media(page)).isPaused).toBe(false)
    await player.getByRole('button', { name: 'Settings' }).click()
    await player.getByRole('menuitem', { name: /^Audio track/ }).waitFor()
    for (const name of ['Keyboard shortcuts', 'Autoplay next', 'Mini player']) {
      expect(await player.getByText(name).count(), name).toBe(0)
    }
    expect(await auditPage(page, { within: '[role=group]' })).toEqual([])

    await page.goto(`/studio/moments/${matchId}`)
    await ready(page)
    const [first] = await page.getByRole('list', { name: 'Moments' }).getByRole('button').all()
    await first?.click()
    await player.getByRole('button', { name: 'Play' }).first().click()
    await expect.poll(() => timeOf(page)).toBeGreaterThan(1)
    expect(await auditPage(page)).toEqual([])

    await page.goto('/upload')
    await page.getByLabel('Video file').first().setInputFiles(join(folder, 'match.mp4'))
    await ready(page)
    const preview = page.getByRole('region', { name: 'Preview of the chosen video' })
    await preview.getByText('/ 0:20').waitFor()
    await preview.getByRole('button', { name: 'Play' }).first().click()
    await playsFrom(page, 0.2)
    expect((await media(page)).isMuted).toBe(true)
    expect(await auditPage(page, { within: '[role=group]' })).toEqual([])
    await writeRows(server, (db) =>
      db.updateTable('videos').set({ contentApproved: 1 }).where('id', '=', matchId).execute(),
    )
    expect(problems).toEqual([])
  },
)

longTest('after a lost connection it plays on by itself', async () => {
  const line = await openBreakableLine(server.port)
  onTestFinished(() => line.stop())
  const { page } = await openPlayer({ origin: line.origin, memory: { quality: 240 } })
  line.breakDown()
  await page.keyboard.press('9')
  await page.keyboard.press('k')
  await page.getByText('Reconnecting…').waitFor({ timeout: 15_000 })
  line.mend()
  await playsFrom(page, SECONDS * 0.9 + 0.1)
  await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
})

longTest('what cannot be played says so', async () => {
  const { page, problems } = await openPlayer()
  await page.route('**/media/**', (route) => route.fulfill({ status: 404, body: 'gone' }))
  await page.reload()
  const alert = page.getByRole('alert')
  await alert.getByRole('heading', { name: 'Video playback error' }).waitFor()
  await alert.getByText('The video could not be loaded.').waitFor()
  await alert.getByRole('button', { name: 'Refresh page' }).waitFor()

  await writeRows(server, (db) =>
    db.updateTable('videos').set({ videoFileExists: 0 }).where('id', '=', nextId).execute(),
  )
  await page.goto(`/video/${nextId}`)
  await alert.getByText('The video was deleted by its owner').waitFor()
  await alert.getByRole('link', { name: 'Return home' }).waitFor()

  await writeRows(server, (db) =>
    db.updateTable('videos').set({ videoUrl: null }).where('id', '=', nextId).execute(),
  )
  await page.reload()
  await alert
    .getByText('Video unavailable: This video file is missing or could not be accessed.')
    .waitFor()
  problems.length = 0
})
