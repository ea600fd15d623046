import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'

/**
 * Pages that their tests are done with, for the next tests of the same site. A new context takes three times as much
 * work, because its process is started and the app compiled again. Each is emptied first: cookies, storage, routes,
 * listeners, history. What cannot be taken back ends a page instead.
 */
const usedPages = new Map<string, Page[]>()
/** Where another site answers later: its pages hold the same app. */
const lastingOrigins = new Set<string>()
const ends = new WeakMap<BrowserContext, () => Promise<void>>()

const RESET_MS = 10_000
const LASTING = ['addInitScript', 'exposeFunction', 'route', 'setExtraHTTPHeaders'] as const
const LASTING_IN_CONTEXT = ['newCDPSession', 'grantPermissions'] as const
const LASTING_CLOCK = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt'] as const

/** What tests listen to. */
const HEARD = [
  ...[
    'console',
    'dialog',
    'download',
    'filechooser',
    'framenavigated',
    'load',
    'page',
    'pageerror',
  ],
  ...['popup', 'request', 'requestfailed', 'requestfinished', 'response', 'websocket'],
]

/** @returns a used page of the site, emptied; undefined when there is none */
export async function takePage(
  browser: Browser,
  { origin, viewport }: { origin: string; viewport: { width: number; height: number } },
): Promise<Page | undefined> {
  const page = usedPages.get(origin)?.pop()
  if (!page || page.isClosed() || page.context().browser() !== browser) return undefined
  await page.setViewportSize(viewport)
  return page
}

/** Closing the page's context returns the page, unless it was changed in a way that lasts. */
export function returnOnClose(page: Page, origin: string): void {
  const context = page.context()
  const end = context.close.bind(context)
  ends.set(context, end)
  let isChanged = false
  const change = () => {
    isChanged = true
  }
  const session = context.newCDPSession(page)
  session.catch(() => undefined)
  noticeCalls(page, LASTING, change)
  noticeCalls(context, [...LASTING, ...LASTING_IN_CONTEXT], change)
  noticeCalls(context.clock, LASTING_CLOCK, change)
  context.close = async (options) => {
    const isEmpty = !isChanged && (await emptyPage(page, { origin, session: await session }))
    if (!isEmpty) return end(options)
    usedPages.set(origin, [...(usedPages.get(origin) ?? []), page])
  }
}

/** Has `endPages` spare the used pages of `origin`. */
export function keepPagesOf(origin: string): void {
  lastingOrigins.add(origin)
}

/** Closes all that is open in a browser, used pages too, except those of origins that last. */
export async function endPages(browser: Browser): Promise<void> {
  for (const origin of usedPages.keys()) {
    if (!lastingOrigins.has(origin)) usedPages.delete(origin)
  }
  const kept = new Set([...usedPages.values()].flat().map((page) => page.context()))
  const others = browser.contexts().filter((context) => !kept.has(context))
  await Promise.all(others.map((context) => (ends.get(context) ?? (() => context.close()))()))
}

function noticeCalls<Target extends object>(
  target: Target,
  names: readonly (keyof Target)[],
  notice: () => void,
): void {
  for (const name of names) {
    const call = target[name] as (...args: unknown[]) => unknown
    const noticed = (...args: unknown[]) => {
      notice()
      return call.apply(target, args)
    }
    Object.assign(target, { [name]: noticed })
  }
}

/** @returns false when it did not work: the page is not to be used again */
async function emptyPage(
  page: Page,
  { origin, session }: { origin: string; session: CDPSession },
): Promise<boolean> {
  const context = page.context()
  try {
    for (const event of HEARD) {
      page.removeAllListeners(event)
      context.removeAllListeners(event)
    }
    await context.setOffline(false)
    await closeOthers(context, page)
    await page.emulateMedia({ media: null, colorScheme: 'dark', reducedMotion: null })
    await page.goto(`${origin}/favicon.svg`, { timeout: RESET_MS })
    await page.evaluate(() => sessionStorage.clear())
    await context.clearCookies()
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await session.send('Page.resetNavigationHistory')
    return true
  } catch {
    return false
  }
}

async function closeOthers(context: BrowserContext, page: Page): Promise<void> {
  await Promise.all(context.pages().map((one) => (one === page ? undefined : one.close())))
}
