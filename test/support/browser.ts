import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { unpackChromium } from './chromium.ts'
import { endPages, type PageKind, returnOnClose, takePage } from './used-pages.ts'

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
export const ACTION_MS = 60_000

export const DESKTOP = { width: 1440, height: 900 }
export const TABLET = { width: 768, height: 1024 }
export const PHONE = { width: 390, height: 844 }

/** Cookies and stored values, as `storageState` of a context answers them. */
export type SavedState = Awaited<ReturnType<BrowserContext['storageState']>>

export type PageOptions = {
  origin: string
  viewport?: { width: number; height: number }
  /** With the touch screen and the viewport of a phone. */
  isPhone?: boolean
  /** State of another page, such as its session. */
  state?: SavedState | undefined
  /** Opens a page that no other test has used. */
  isNew?: boolean
  /** Lets the site register its service worker. Requests of a worker cannot be intercepted by `route`. */
  hasWorker?: boolean
}

/** Error message of Playwright on a site that may not register its service worker. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'

/** Opens a page of one's own, as a new visitor; what the console complains of is collected in `problems`. */
export async function openPage(
  browser: Browser,
  options: PageOptions,
): Promise<{ page: Page; problems: string[] }> {
  const { origin, isPhone = false, viewport = isPhone ? PHONE : DESKTOP, state } = options
  const kind = { origin, isPhone }
  const { isNew = false, hasWorker = false } = options
  const used = isNew || hasWorker ? undefined : takePage(browser, kind)
  const page = used ?? (await makePage(browser, { kind, hasWorker }))
  await page.setViewportSize(viewport)
  if (state) await page.context().setStorageState(state)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (message.text() === BLOCKED_WORKER) return
    // "Failed to load resource" says what only by its place.
    problems.push(`${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  return { page, problems }
}

async function makePage(
  browser: Browser,
  { kind, hasWorker }: { kind: PageKind; hasWorker: boolean },
): Promise<Page> {
  const { origin, isPhone } = kind
  const context = await browser.newContext({
    ...{ baseURL: origin, viewport: isPhone ? PHONE : DESKTOP, colorScheme: 'dark' },
    ...{ isMobile: isPhone, hasTouch: isPhone },
    serviceWorkers: hasWorker ? 'allow' : 'block',
  })
  context.setDefaultTimeout(ACTION_MS)
  const page = await context.newPage()
  if (!hasWorker) await returnOnClose(page, kind)
  return page
}
