import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core'
import { findFirefox } from './find-firefox.ts'

/** How long a step may take, on a machine with other work too. */
export const ACTION_MS = 120_000
const DESKTOP = { width: 1440, height: 900 }

/** Without a sound card too: what is played goes nowhere. */
const PREFERENCES = {
  'media.cubeb.backend': 'null',
  'media.autoplay.default': 0,
  'ui.prefersReducedMotion': 0,
}

/** Starts the installed Firefox, which is driven by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const executablePath = findFirefox()
  if (!executablePath) throw new Error('There is no Firefox on this machine.')
  return puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
  })
}

/** Firefox complains of the stream of live events when the page that reads it is left. */
const STREAM_ENDED =
  /(can’t establish a connection|was interrupted).*live\.onChange|live\.onChange.*was interrupted/

/** An older Firefox cannot be asked to turn the screen, which puppeteer does along with the size; the size it takes. */
async function setViewport(page: Page, viewport: typeof DESKTOP): Promise<void> {
  await page.setViewport(viewport).catch((error) => {
    if (!/unknown command|unsupported operation/.test(String(error))) throw error
  })
}

type OpenedPage = { page: Page; problems: string[]; close: () => Promise<void> }

/** A page of a user of their own. */
export async function openPage(browser: Browser, viewport = DESKTOP): Promise<OpenedPage> {
  return openTab(await browser.createBrowserContext(), viewport)
}

/** One more page of a user; what its scripts and console complain of is collected in `problems`. `close` ends all of theirs. */
export async function openTab(context: BrowserContext, viewport = DESKTOP): Promise<OpenedPage> {
  const page = await context.newPage()
  await setViewport(page, viewport)
  // A page in the background lets go of its live events.
  await page.bringToFront()
  page.setDefaultTimeout(ACTION_MS)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !STREAM_ENDED.test(message.text()))
      problems.push(message.text())
  })
  return { page, problems, close: () => context.close() }
}

const ELEMENTS = {
  button: 'self::button or @role="button"',
  heading: 'self::h1 or self::h2 or self::h3',
  textbox: 'self::input or self::textarea',
}

/**
 * What has a role and a name, by its label or its words. puppeteer's own `::-p-aria` starts Firefox's accessibility service,
 * for which a busy machine has no answer within minutes.
 */
export function named(role: keyof typeof ELEMENTS, name: string): string {
  const labelled = `@id=//label[starts-with(normalize-space(.), "${name}")]/@for`
  const isNamed = `@aria-label="${name}" or normalize-space(.)="${name}" or ${labelled}`
  return `::-p-xpath(//*[${ELEMENTS[role]}][${isNamed}])`
}
