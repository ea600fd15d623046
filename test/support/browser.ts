import { type Browser, chromium, type Page } from 'playwright-core'
import { unpackChromium } from './chromium.ts'

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

/** Starts a browser of one's own. */
export async function startBrowser(): Promise<Browser> {
  const { env, ...launch } = await unpackChromium()
  return chromium.launch({
    ...launch,
    args: ARGUMENTS,
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
    browser.close = async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
    }
    return browser
  })
  return shared
}

/** A busy machine takes its time. */
const ACTION_MS = 60_000

export const DESKTOP = { width: 1440, height: 900 }
export const TABLET = { width: 768, height: 1024 }
export const PHONE = { width: 390, height: 844 }

/** Opens a page in a context of its own; what the console complains of is collected in `problems`. */
export async function openPage(
  browser: Browser,
  options: { origin: string; viewport?: { width: number; height: number } },
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    baseURL: options.origin,
    viewport: options.viewport ?? DESKTOP,
  })
  context.setDefaultTimeout(ACTION_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  return { page, problems }
}
