import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../support/clips.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { addVideos, writeRows } from '../support/site-rows.ts'
import { until } from '../support/until.ts'
import { launchFirefox, named, openPage } from './support/firefox.ts'
import { type Member, PASSWORD, register, uploadVideo } from './support/member.ts'

const PHONE = { width: 390, height: 844 }
const SECONDS = 30

let server: ServerProcess
let browser: Browser
let folder: string
let clip: string
let owner: Member
let videoId: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-firefox-'))
  server = await startServer({ env: { RENDITIONS: '240,144' } })
  owner = await register(server.origin, 'nova')
  clip = await makeClip({
    ...{ path: join(folder, 'match.mp4'), width: 320, height: 240 },
    ...{ seconds: SECONDS, frameRate: 10, keyFrameSeconds: 2, audioTracks: 2 },
  })
  videoId = await uploadVideo(owner, clip, 'The long match')
  await until(
    async () => {
      const answer = await owner.call('GET', `/videos/${videoId}`)
      return ((await answer.json()) as { hlsUrl: string | null }).hlsUrl !== null
    },
    { timeoutMs: 110_000 },
  )
  await writeRows(server, (db) =>
    addVideos(
      db,
      Array.from({ length: 60 }, (_, index) => ({ userId: owner.id, title: `Round ${index + 1}` })),
    ),
  )
  browser = await launchFirefox()
})
afterAll(async () => {
  await browser?.close()
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

const goto = (page: Page, path: string) => page.goto(`${server.origin}${path}`)

const click = (page: Page, selector: string) => page.locator(selector).click()

const see = (page: Page, text: string) => page.waitForSelector(`::-p-text(${text})`)

async function signIn(page: Page, username: string) {
  await goto(page, '/auth')
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(PASSWORD)
  await click(page, 'form button[type=submit]')
}

/** A page of a new member, signed in by its form, on the home page. */
async function openAsMember(username: string, viewport?: typeof PHONE) {
  const member = await register(server.origin, username)
  const opened = await openPage(browser, viewport)
  await signIn(opened.page, username)
  await opened.page.waitForSelector('article')
  return { ...opened, member }
}

const media = (page: Page) =>
  page.$eval('video', (element) => {
    const video = element as HTMLVideoElement
    const { currentTime: time, videoHeight: height, paused: isPaused, error } = video
    return { time, height, isPaused, error: error?.message ?? null }
  })

async function playsOn(page: Page, seconds = 2) {
  const { time } = await media(page)
  await expect.poll(async () => (await media(page)).time).toBeGreaterThan(time + seconds)
}

async function openVideo(page: Page) {
  await goto(page, `/video/${videoId}`)
  await page.waitForSelector('video')
  await page.$eval('video', async (element) => {
    const video = element as HTMLVideoElement
    video.muted = true
    await video.play()
  })
  await expect.poll(async () => (await media(page)).time).toBeGreaterThan(0.3)
}

/** Opens the player's settings and goes through its menus by the keyboard. */
async function choose(page: Page, menu: string, choice: string) {
  const press = async (role: string, words: string) => {
    const found = await page.waitForFunction(
      (wantedRole, wantedWords) =>
        [...document.querySelectorAll(`[role="${wantedRole}"]`)].find((one) =>
          one.textContent?.startsWith(wantedWords),
        ),
      {},
      role,
      words,
    )
    await (found as ElementHandle).focus()
    await page.keyboard.press('Enter')
  }
  await (await page.waitForSelector(named('button', 'Settings')))?.focus()
  await page.keyboard.press('Enter')
  await press('menuitem', menu)
  await press('menuitemradio', choice)
}

test('the first link after signing in leads where it says, again and again', async () => {
  await register(server.origin, 'first')
  for (let times = 0; times < 5; times++) {
    const { page, problems, close } = await openPage(browser)
    await signIn(page, 'first')
    const paths = ['/subscriptions', '/history', '/studio', '/upload', '/library']
    const path = paths[times] ?? '/'
    await page.waitForFunction(() => location.pathname === '/')
    await (await page.waitForSelector(`nav a[href="${path}"]`))?.click()
    await page.waitForFunction((to) => location.pathname === to, {}, path)
    await page.waitForSelector('h1')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(new URL(page.url()).pathname).toBe(path)
    expect(problems).toEqual([])
    await close()
  }
})

test('the first address typed after signing in is not lost', async () => {
  await register(server.origin, 'typed')
  for (let times = 0; times < 5; times++) {
    const { page, close } = await openPage(browser)
    await signIn(page, 'typed')
    await page.waitForFunction(() => location.pathname === '/')
    await goto(page, `/video/${videoId}`)
    await page.waitForSelector('video')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(new URL(page.url()).pathname).toBe(`/video/${videoId}`)
    await close()
  }
})

test('the home grid goes on as one scrolls, and Back keeps the place', async () => {
  const { page, problems, close } = await openPage(browser)
  await goto(page, '/')
  await page.waitForSelector('article')
  const count = () => page.$$eval('article', (cards) => cards.length)
  await expect
    .poll(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      return count()
    })
    .toBeGreaterThan(48)
  await page.evaluate(() => window.scrollTo(0, 1500))
  await page.evaluate(() => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>('article h2 a')].find(
      (one) => one.getBoundingClientRect().top > 100,
    )
    link?.click()
  })
  await page.waitForFunction(() => location.pathname.startsWith('/video/'))
  await see(page, 'Comments')
  await page.goBack()
  await expect.poll(() => page.evaluate(() => Math.round(scrollY / 100))).toBe(15)
  expect(problems).toEqual([])
  await close()
})

test('a video plays, in the chosen quality and with the chosen sound', async () => {
  const { page, problems, close } = await openPage(browser)
  await openVideo(page)
  await playsOn(page, 1)
  await choose(page, 'Quality', '144p')
  await expect.poll(async () => (await media(page)).height).toBe(144)
  await playsOn(page)
  await choose(page, 'Quality', '240p')
  await expect.poll(async () => (await media(page)).height).toBe(240)
  await choose(page, 'Audio track', 'Track 2')
  await playsOn(page)
  expect((await media(page)).error).toBeNull()
  expect(problems).toEqual([])
  await close()
})

test('a comment stands under the video', async () => {
  const { page, close } = await openAsMember('critic')
  await goto(page, `/video/${videoId}`)
  const box = await page.waitForSelector(named('textbox', 'Add a comment'))
  await box?.click()
  await box?.type('What a round')
  await click(page, named('button', 'Comment'))
  await see(page, 'Comment added')
  await page.reload()
  await see(page, 'What a round')
  await close()
})

test('the bell shows a new subscriber at once', async () => {
  const { page, member, close } = await openAsMember('star')
  const listens = page.waitForRequest((request) => /live\.onChange/.test(request.url()))
  await page.reload()
  await listens
  await new Promise((resolve) => setTimeout(resolve, 500))
  const fan = await register(server.origin, 'fan')
  await fan.call('POST', '/subscriptions', { channelId: member.id })
  await page.waitForSelector(named('button', 'Notifications, 1 unread'), { timeout: 3000 })
  await close()
})

test('a file is uploaded and leads to its video', async () => {
  const { page, problems, close } = await openAsMember('maker')
  await goto(page, '/upload')
  const input = await page.waitForSelector('input[type=file]')
  await (input as ElementHandle<HTMLInputElement>).uploadFile(clip)
  await page.waitForSelector('input[name=title]')
  await click(page, named('button', 'Upload Video'))
  await page.waitForFunction(() => location.pathname.startsWith('/video/'), { timeout: 60_000 })
  await page.waitForSelector('video')
  expect(problems).toEqual([])
  await close()
})

test('a playlist is made and holds its video', async () => {
  const { page, close } = await openAsMember('lister')
  await goto(page, `/video/${videoId}`)
  await click(page, named('button', 'Save'))
  await click(page, named('button', 'New playlist'))
  const title = await page.waitForSelector(
    'dialog[open] input:not([type=checkbox]), [role=dialog] input',
  )
  await title?.type('Best rounds')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('input[type=checkbox]:checked'))
  await goto(page, '/library')
  await (await page.waitForSelector('::-p-text(Best rounds)'))?.click()
  await page.waitForFunction(() => location.pathname.startsWith('/playlist/'))
  await see(page, 'The long match')
  await close()
})

test.each(['/', '/explore', '/search?q=round', '/auth'])(
  'nobody scrolls sideways at 390 px on %s',
  async (path) => {
    const { page, problems, close } = await openPage(browser, PHONE)
    await goto(page, path)
    await page.waitForSelector('main h1')
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
    await close()
  },
)
