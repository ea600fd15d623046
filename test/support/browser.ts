import { type Browser, chromium, type Page } from 'playwright-core'
import { unpackChromium } from './chromium.ts'
import { endPages, returnOnClose, takePage } from './used-pages.ts'

const ARGUMENTS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--autoplay-policy=no-user-gesture-required',
]

/** Starts a browser of one's own. @param more arguments that count more than the usual ones */
export async function startBrowser(more: string[] = []): Promise<Browser> {
  const { env, ...launch } = await unpackChromium()
  return chromium.launch({
    ...launch,
    args: [...ARGUMENTS, ...more],
    env: { ...(process.env as Record<string, string>), ...env },
  })
}

let shared: Promise<Browser> | undefined

/** The browser of this process, which its files of tests use one after the other: closing it closes what one opened. */
export function launchBrowser(): Promise<Browser> {
  shared ??= startBrowser().then((browser) => {
    browser.on('disconnected', () => {
      shared = undefined
    })
    browser.close = () => endPages(browser)
    return browser
  })
  return shared
}

/** A busy machine takes its time. */
const ACTION_MS = 60_000

export const DESKTOP = { width: 1440, height: 900 }
export const TABLET = { width: 768, height: 1024 }
export const PHONE = { width: 390, height: 844 }

/** Opens a page of one's own, as a new visitor; what the console complains of is collected in `problems`. */
export async function openPage(
  browser: Browser,
  options: { origin: string; viewport?: { width: number; height: number }; isNew?: boolean },
): Promise<{ page: Page; problems: string[] }> {
  const { origin, viewport = DESKTOP } = options
  const used = options.isNew ? undefined : await takePage(browser, { origin, viewport })
  const page = used ?? (await makePage(browser, { origin, viewport }))
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // "Failed to load resource" says what only by its place.
    problems.push(`${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  return { page, problems }
}

async function makePage(
  browser: Browser,
  { origin, viewport }: { origin: string; viewport: typeof DESKTOP },
): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, viewport, colorScheme: 'dark' })
  context.setDefaultTimeout(ACTION_MS)
  const page = await context.newPage()
  returnOnClose(page, origin)
  return page
}
