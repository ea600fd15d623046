import { join } from 'node:path'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { makeClip } from '../support/clips.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { type Member, PASSWORD, register, uploadVideo } from '../support/site-member.ts'
import { addVideos, writeRows } from '../support/site-rows.ts'
import { until } from '../support/until.ts'
import { find, findHidden } from './support/find.ts'
import { launchFirefox, named, openPage, openTab } from './support/firefox.ts'

const PHONE = { width: 390, height: 844 }
const SECONDS = 30

let server: ServerProcess
let browser: Browser
const folder = setUpFolder('firefox')
let clip: string
let owner: Member
let videoId: number

beforeAll(async () => {
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
    { timeoutMs: 500_000 },
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
})

const goto = (page: Page, path: string) => page.goto(`${server.origin}${path}`)

/** Clicks what stands still: menus and dialogs move while they open. */
async function click(page: Page, selector: string): Promise<void> {
  const found = await find(page, selector)
  let before: string | undefined
  const isStill = async () => {
    const now = JSON.stringify(await found.boundingBox())
    const isSame = now === before
    before = now
    return isSame
  }
  await expect.poll(isStill).toBe(true)
  await found.click()
}

const pathOf = (page: Page) => page.evaluate(() => location.pathname)

const arriveAt = (page: Page, path: string | RegExp) =>
  expect.poll(() => pathOf(page)).toMatch(typeof path === 'string' ? new RegExp(`^${path}$`) : path)

const see = (page: Page, text: string) => find(page, `::-p-text(${text})`)

async function signIn(page: Page, username: string) {
  await goto(page, '/auth')
  await (await find(page, 'input[name=username]')).type(username)
  await (await find(page, 'input[name=password]')).type(PASSWORD)
  await click(page, 'form button[type=submit]')
}

/** An empty page of a new member, who signed in by the form on another: nothing of that one's requests is under way here. */
async function openAsMember(username: string, viewport?: typeof PHONE) {
  const member = await register(server.origin, username)
  const { page: first } = await openPage(browser, viewport)
  await signIn(first, username)
  await find(first, 'article')
  const context = first.browserContext()
  // Before the other is opened: a page that is hidden for a moment lets go of its live events.
  await first.close()
  const opened = await openTab(context, viewport)
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
  await find(page, 'video')
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
    const isFocused = () =>
      page.evaluate(
        (wantedRole, wantedWords) => {
          const all = [...document.querySelectorAll<HTMLElement>(`[role="${wantedRole}"]`)]
          const wanted = all.find((one) => one.textContent?.startsWith(wantedWords))
          wanted?.focus()
          return wanted !== undefined && document.activeElement === wanted
        },
        role,
        words,
      )
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Enter')
  }
  await (await find(page, named('button', 'Settings'))).focus()
  await page.keyboard.press('Enter')
  await press('menuitem', menu)
  await press('menuitemradio', choice)
}

const FIRST_LINKS: [string, string][] = [
  ['/subscriptions', 'Subscriptions'],
  ['/history', 'Watch History'],
  ['/studio', 'Content Studio'],
  ['/upload', 'Upload Video'],
  ['/library', 'Library'],
]

test('the first link after signing in leads where it says, again and again', async () => {
  await register(server.origin, 'first')
  for (const [path, heading] of FIRST_LINKS) {
    const { page, problems, close } = await openPage(browser)
    await signIn(page, 'first')
    await arriveAt(page, '/')
    await click(page, `nav a[href="${path}"]`)
    await find(page, named('heading', heading))
    // puppeteer's own `url()` and `goBack()` do not hear of a change of history that loads no page.
    expect(await pathOf(page)).toBe(path)
    await page.evaluate(() => history.back())
    await arriveAt(page, '/')
    await find(page, 'article')
    expect(problems).toEqual([])
    await close()
  }
})

test('the first address typed after signing in is not lost', async () => {
  await register(server.origin, 'typed')
  for (let times = 0; times < 5; times++) {
    const { page, close } = await openPage(browser)
    await signIn(page, 'typed')
    await arriveAt(page, '/')
    await goto(page, `/video/${videoId}`)
    await find(page, 'video')
    await find(page, named('heading', 'The long match'))
    expect(await pathOf(page)).toBe(`/video/${videoId}`)
    await close()
  }
})

/** Opens the first video that is wholly in the window. @returns its link and how far down its card was */
const openCardInView = (page: Page) =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('article h2 a')]
    const link = links.find((one) => one.getBoundingClientRect().top > 100)
    const top = Math.round(link?.getBoundingClientRect().top ?? 0)
    link?.click()
    return { path: link?.pathname ?? '', top }
  })

const topOf = (page: Page, path: string) =>
  page.evaluate((wanted) => {
    const link = [...document.querySelectorAll(`article h2 a[href="${wanted}"]`)].at(-1)
    return link && Math.round(link.getBoundingClientRect().top)
  }, path)

test('the home grid goes on as one scrolls, and Back keeps the place', async () => {
  const { page, problems, close } = await openPage(browser)
  await goto(page, '/')
  await find(page, 'article')
  const scrollDown = () => window.scrollTo(0, document.documentElement.scrollHeight)
  const count = async () => {
    await page.evaluate(scrollDown)
    return page.$$eval('article', (cards) => cards.length)
  }
  await expect.poll(count).toBeGreaterThan(48)
  for (const [depth, reloads] of [
    [1500, false],
    [2500, true],
  ] as const) {
    await page.evaluate((y) => window.scrollTo(0, y), depth)
    const { path, top } = await openCardInView(page)
    await arriveAt(page, path)
    await see(page, 'Comments')
    if (reloads) {
      await page.reload()
      await see(page, 'Comments')
    }
    await page.evaluate(() => history.back())
    await expect.poll(() => topOf(page, path)).toBe(top)
    expect(await page.evaluate(() => Math.round(scrollY))).toBe(depth)
  }
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
  const box = await find(page, named('textbox', 'Add a comment'))
  await box.click()
  await box.type('What a round')
  await click(page, named('button', 'Comment'))
  await see(page, 'Comment added')
  await page.reload()
  await see(page, 'What a round')
  await close()
})

test('the bell shows a new subscriber at once', async () => {
  const { page, member, close } = await openAsMember('star')
  const listens = page.waitForResponse((response) => /live\.onChange/.test(response.url()))
  await goto(page, '/')
  await listens
  const fan = await register(server.origin, 'fan')
  await fan.call('POST', '/subscriptions', { channelId: member.id })
  // Nothing else asks for the list again; how soon it rings is for test/browser/account/live-bell.test.ts.
  await find(page, named('button', 'Notifications, 1 unread'))
  await close()
})

test('a file is uploaded and leads to its video', async () => {
  const { page, problems, close } = await openAsMember('maker')
  await goto(page, '/upload')
  const input = await findHidden(page, 'input[type=file]')
  await (input as ElementHandle<HTMLInputElement>).uploadFile(clip)
  await find(page, 'input[name=title]')
  await click(page, named('button', 'Upload Video'))
  await expect.poll(() => pathOf(page), { timeout: 60_000 }).toMatch(/^\/video\//)
  await find(page, 'video')
  expect(problems).toEqual([])
  await close()
})

test('a playlist is made and holds its video', async () => {
  const { page, close } = await openAsMember('lister')
  await goto(page, `/video/${videoId}`)
  await click(page, named('button', 'Save'))
  await click(page, named('button', 'New playlist'))
  await (await find(page, named('textbox', 'Title'))).type('Best rounds')
  await page.keyboard.press('Enter')
  await see(page, 'Playlist created')
  await findHidden(page, 'input[type=checkbox]:checked')
  await goto(page, '/library')
  await click(page, '::-p-text(Best rounds)')
  await arriveAt(page, /^\/playlist\//)
  await see(page, 'The long match')
  await close()
})

test.each(['/', '/explore', '/search?q=round', '/auth'])(
  'nobody scrolls sideways at 390 px on %s',
  async (path) => {
    const { page, problems, close } = await openPage(browser, PHONE)
    await goto(page, path)
    await findHidden(page, 'main h1')
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
    await close()
  },
)
