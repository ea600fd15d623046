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
const CLIPS = '20'
const DEMO_MS = 30 * 60_000
const QUALITY = 88
/** The video of the watch page, by its title, and from when on the player's controls are hidden. */
const WATCHED = 'Five stars on Grove Street'
const AT_SECONDS = 5

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
  const child = spawn(process.execPath, [join(ROOT, 'src', 'tools', 'demo.ts'), '--clips', CLIPS], {
    env: { ...childEnvironment, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (data) => {
    said += String(data)
    process.stdout.write(data)
  })
  try {
    const isMade = () => child.exitCode !== null || said.includes('clips are there')
    await until(isMade, { timeoutMs: DEMO_MS })
    const [, origin = ''] = /is ready: (\S+)/.exec(said) ?? []
    const [, username = '', password = ''] = /Sign in as (\S+),.* password (\S+)\./.exec(said) ?? []
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
    await take(wide, 'home')
    await openVideo(wide)
    await take(wide, 'watch')
    const phone = await openAs(browser, { ...shown, viewport: PHONE, scale: 2 })
    await openVideo(phone)
    await take(phone, 'phone')
  } finally {
    await browser.close()
  }
}

async function openAs(
  browser: Browser,
  input: Shown & { viewport: typeof DESKTOP; scale: number },
): Promise<Page> {
  const { origin, username, password, viewport, scale } = input
  const context = await browser.newContext({
    ...{ baseURL: origin, viewport, deviceScaleFactor: scale },
    ...{ isMobile: viewport === PHONE, hasTouch: viewport === PHONE },
    colorScheme: 'dark',
  })
  const page = await context.newPage()
  const login = await page.request.post('/api/login', { data: { username, password } })
  if (!login.ok()) throw new Error(`${username} could not sign in: ${await login.text()}`)
  return page
}

async function openVideo(page: Page): Promise<void> {
  const found = await page.request.get(`/api/search?q=${encodeURIComponent(WATCHED)}`)
  const [video] = (await found.json()) as { id: number }[]
  if (!video) throw new Error(`There is no video '${WATCHED}'.`)
  await page.goto(`/video/${video.id}`)
  const player = page.locator('video')
  await until(() =>
    player.evaluate((one: HTMLVideoElement, at) => one.currentTime > at, AT_SECONDS),
  )
}

/** Everything that is in sight has come. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await until(() =>
    page.evaluate(() =>
      [...document.images].every((image) => image.complete && image.naturalWidth > 0),
    ),
  )
  const path = join(PICTURES, `${name}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: QUALITY })
  process.stdout.write(
    `docs/pictures/${name}.jpg: ${Math.round((await stat(path)).size / 1000)} kB\n`,
  )
}
