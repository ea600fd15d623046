import type { Browser, BrowserContext, CDPSession, Disposable, Page } from 'playwright-core'

/** Pages of one kind can replace each other. */
export type PageKind = { origin: string; isPhone: boolean }

/**
 * Pages that their tests are done with, for the next tests of the same site. A new context takes three times as much
 * work, because its process is started and the app compiled again. Each is emptied first: cookies, storage, routes,
 * scripts, listeners, history. A page with a change that cannot be undone is closed instead.
 */
const usedPages = new Map<string, Page[]>()
/** Where another site answers later: its pages hold the same app. */
const lastingOrigins = new Set<string>()
const ends = new WeakMap<BrowserContext, () => Promise<void>>()

const RESET_MS = 10_000
const LASTING = ['setExtraHTTPHeaders'] as const
const LASTING_CLOCK = ['install', 'setFixedTime', 'setSystemTime', 'pauseAt'] as const
const DISPOSABLE = ['addInitScript', 'exposeFunction'] as const

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

const keyOf = ({ origin, isPhone }: PageKind) => `${isPhone ? 'phone' : 'desktop'} ${origin}`

/** @returns a used page of the site, emptied; undefined when there is none */
export function takePage(browser: Browser, kind: PageKind): Page | undefined {
  const page = usedPages.get(keyOf(kind))?.pop()
  return page && !page.isClosed() && page.context().browser() === browser ? page : undefined
}

/** Closing the page's context returns the page, unless it was changed in a way that lasts. */
export async function returnOnClose(page: Page, kind: PageKind): Promise<void> {
  const { origin } = kind
  const key = keyOf(kind)
  const context = page.context()
  const session = await context.newCDPSession(page)
  const end = context.close.bind(context)
  ends.set(context, end)
  let isChanged = false
  let undos: (() => Promise<void>)[] = []
  const change = () => {
    isChanged = true
  }
  const dispose = (added: Promise<Disposable>) => {
    undos.push(async () => (await added).dispose())
  }
  watchCalls(page, LASTING, change)
  watchCalls(context, LASTING, change)
  watchCalls(context.clock, LASTING_CLOCK, change)
  watchCalls(page, DISPOSABLE, dispose)
  watchCalls(context, DISPOSABLE, dispose)
  // The emulation of a session ends when it is detached.
  watchCalls(context, ['newCDPSession'], (opened: Promise<CDPSession>) => {
    undos.push(async () => (await opened).detach())
  })
  context.close = async (options) => {
    const taken = undos
    undos = []
    const isEmpty = !isChanged && (await emptyPage(page, { origin, session, undos: taken }))
    if (!isEmpty) return end(options)
    usedPages.set(key, [...(usedPages.get(key) ?? []), page])
  }
}

/** Has `endPages` spare the used pages of `origin`. */
export function keepPagesOf(origin: string): void {
  lastingOrigins.add(origin)
}

/** Closes a page that is still open. */
export async function closePage(page: Page): Promise<void> {
  const isUsed = [...usedPages.values()].some((pages) => pages.includes(page))
  if (!isUsed && !page.isClosed()) await page.context().close()
}

/** Closes all that is open in a browser, used pages too, except those of origins that last. */
export async function endPages(browser: Browser): Promise<void> {
  for (const key of usedPages.keys()) {
    if (!lastingOrigins.has(key.split(' ')[1] ?? '')) usedPages.delete(key)
  }
  const kept = new Set([...usedPages.values()].flat().map((page) => page.context()))
  const others = browser.contexts().filter((context) => !kept.has(context))
  await Promise.all(others.map((context) => (ends.get(context) ?? (() => context.close()))()))
}

/** Calls `notice` with what each call of these methods returns. */
function watchCalls<Target extends object, Result>(
  target: Target,
  names: readonly (keyof Target)[],
  notice: (result: Result) => void,
): void {
  for (const name of names) {
    const call = target[name] as (...args: unknown[]) => Result
    const watched = (...args: unknown[]) => {
      const result = call.apply(target, args)
      notice(result)
      return result
    }
    Object.assign(target, { [name]: watched })
  }
}

/** @returns false when it did not work: the page is not to be used again */
async function emptyPage(
  page: Page,
  input: { origin: string; session: CDPSession; undos: (() => Promise<void>)[] },
): Promise<boolean> {
  const { origin, session, undos } = input
  const context = page.context()
  try {
    for (const event of HEARD) {
      page.removeAllListeners(event)
      context.removeAllListeners(event)
    }
    await Promise.all(undos.map((undo) => undo()))
    for (const one of [page, context]) await one.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    await context.clearPermissions()
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
