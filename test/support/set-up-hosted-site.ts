import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser, openPage, type PageOptions } from './browser.ts'
import { type HostedSite, openHostedSite } from './hosted-site.ts'

export type SiteInBrowser = HostedSite & {
  browser: Browser
  /** Opens a page as a new visitor, as `openPage` does. */
  open: (options?: Omit<PageOptions, 'origin'>) => ReturnType<typeof openPage>
}

/**
 * Opens a site and the browser of this process before the tests of a file and closes both after them; the object has no
 * properties before that.
 */
export function setUpHostedSite(options?: Parameters<typeof openHostedSite>[0]): SiteInBrowser {
  const site = {} as SiteInBrowser
  beforeAll(async () => {
    const hosted = await openHostedSite(options)
    const browser = await launchBrowser()
    const open: SiteInBrowser['open'] = (page) =>
      openPage(browser, { origin: hosted.origin, ...page })
    Object.assign(site, { ...hosted, browser, open })
  })
  afterAll(async () => {
    await site.browser.close()
    await site.remove()
  })
  return site
}
