/**
 * `npm run screenshots [-- --origin URL --account NAME:PASSWORD]`: takes the pictures of README.md of a demo that it
 * starts, or of one that is there already.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { DESKTOP, PHONE, startBrowser } from '../support/browser.ts'
import { childEnvironment } from '../support/child-environment.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PICTURES = join(ROOT, 'docs', 'pictures')
const VIDEOS = '40'
const DEMO_MS = 30 * 60_000
const ACTION_MS = 120_000
const QUALITY = 88
/** Titles of the videos to open. The player hides its controls some seconds after it starts. */
const WATCHED = 'Five stars on Grove Street'
const FROM_SECONDS = 1
const AT_SECONDS = 6
/** From one cut to the next. */
const PLAYED_MS = [2500, 2500]
const SETTLE_MS = 1500

type Shown = { origin: string; username: string; password: string }

const { values } = parseArgs({
  options: { origin: { type: 'string' }, account: { type: 'string' } },
})
await mkdir(PICTURES, { recursive: true })
if (values.origin) {
  const [username = '', password = ''] = values.account?.split(':') ?? []
  await takeAll({ origin: values.origin, username, password })
} else {
  await withDemo(takeAll)
}

async function withDemo(work: (shown: Shown) => Promise<void>): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src', 'tools', 'demo.ts'), '--videos', VIDEOS],
    {
      env: { ...childEnvironment, PORT: '0', HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (data) => {
    said += String(data)
    process.stdout.write(data)
  })
  try {
    const isMade = () => child.exitCode !== null || said.includes('Everything is made')
    await until(isMade, { timeoutMs: DEMO_MS })
    const [, origin = ''] = /is ready: (\S+)/.exec(said) ?? []
    const [, username = '', password = ''] = /Log in as (\S+),.* password (\S+)\./.exec(said) ?? []
    await work({ origin, username, password })
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function takeAll(shown: Shown): Promise<void> {
  const browser = await startBrowser()
  try {
    const wide = await openAs(browser, { ...shown, viewport: DESKTOP, scale: 1 })
    await wide.goto('/')
    await hasPictures(wide)
    await take(wide, 'home')
    await takeVideo(wide, WATCHED, 'watch')
    await takeCut(wide)
    await wide.close()
    const phone = await openAs(browser, { ...shown, viewport: PHONE, scale: 2 })
    await phone.goto('/clips')
    await plays(phone)
    // The count of the bell has come by then.
    await phone.waitForTimeout(SETTLE_MS)
    await take(phone, 'phone')
  } finally {
    await browser.close()
  }
}

type View = Shown & { viewport: typeof DESKTOP; scale: number }

async function open(browser: Browser, { origin, viewport, scale }: View): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: origin, viewport, deviceScaleFactor: scale },
    ...{ isMobile: viewport === PHONE, hasTouch: viewport === PHONE },
    colorScheme: 'dark',
  })
  context.setDefaultTimeout(ACTION_MS)
  return context.newPage()
}

async function openAs(browser: Browser, view: View): Promise<Page> {
  const { username, password } = view
  const page = await open(browser, view)
  const login = await page.request.post('/api/login', { data: { username, password } })
  if (!login.ok()) throw new Error(`${username} could not sign in: ${await login.text()}`)
  return page
}

async function takeVideo(page: Page, title: string, name: string): Promise<void> {
  await page.goto(`/video/${await findVideo(page, title)}`)
  await hasPictures(page)
  const player = page.locator('video')
  // It goes on from where its member left it.
  await player.evaluate((one: HTMLVideoElement, from) => {
    one.currentTime = from
  }, FROM_SECONDS)
  const timeOf = () => player.evaluate((one: HTMLVideoElement) => one.currentTime)
  await until(async () => (await timeOf()) > AT_SECONDS)
  await take(page, name)
}

async function findVideo(page: Page, title: string): Promise<number> {
  const found = await page.request.get(`/api/search?q=${encodeURIComponent(title)}`)
  const [video] = (await found.json()) as { id: number }[]
  if (!video) throw new Error(`There is no video '${title}'.`)
  return video.id
}

/** Shows a part that is removed between two others. */
async function takeCut(page: Page): Promise<void> {
  await page.goto(`/studio/cut/${await findOwnVideo(page)}`)
  const tools = page.getByRole('toolbar', { name: 'Cutting' })
  const press = (name: string) => tools.getByRole('button', { name }).click()
  for (const milliseconds of PLAYED_MS) {
    await press('Play')
    await page.waitForTimeout(milliseconds)
    await press('Pause')
    await press('Split')
  }
  await press('Previous frame')
  await press('Remove this part')
  await page.waitForTimeout(SETTLE_MS)
  await take(page, 'cut')
}

/** Only the owner can cut a video. */
async function findOwnVideo(page: Page): Promise<number> {
  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number }
  const found = await page.request.get(`/api/users/${id}/videos`)
  type Own = { id: number; duration: number; width: number; height: number }
  const videos = (await found.json()) as Own[]
  const [longest] = videos
    .filter(({ width, height }) => width > height)
    .toSorted((one, other) => other.duration - one.duration)
  if (!longest) throw new Error('The account has no video to cut.')
  return longest.id
}

async function plays(page: Page): Promise<void> {
  await until(() =>
    page.evaluate(() => [...document.querySelectorAll('video')].some((one) => one.currentTime > 1)),
  )
}

/** All that is in sight has come. */
async function hasPictures(page: Page): Promise<void> {
  await page.locator('main img').first().waitFor({ state: 'attached' })
  await until(() =>
    page.evaluate(() =>
      [...document.images]
        .filter((image) => {
          const { top, left } = image.getBoundingClientRect()
          return top < innerHeight && left < innerWidth
        })
        .every((image) => image.complete && image.naturalWidth > 0),
    ),
  )
  // Pictures are decoded after they have loaded.
  await page.waitForTimeout(SETTLE_MS)
}

async function take(page: Page, name: string): Promise<void> {
  const path = join(PICTURES, `${name}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: QUALITY })
  const { size } = await stat(path)
  process.stdout.write(`docs/pictures/${name}.jpg: ${Math.round(size / 1000)} kB\n`)
}
