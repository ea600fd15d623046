import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { openPage, PageOptions } from './browser.ts'
import { type HostedSite, openHostedSite } from './hosted-site.ts'
import { setUpPages } from './set-up-pages.ts'

export type SiteInBrowser = HostedSite & {
  browser: Browser
  /** Opens a page of the site, or of another `origin`, as a new visitor. After the test that opened it, it is closed. */
  open: (options?: Partial<PageOptions>) => ReturnType<typeof openPage>
}

/**
 * Opens a site and the browser of this process before the tests of a file and closes both after them; the object has no
 * properties before that.
 */
export function setUpHostedSite(options?: Parameters<typeof openHostedSite>[0]): SiteInBrowser {
  const site = {} as SiteInBrowser
  beforeAll(async () => {
    Object.assign(site, await openHostedSite(options))
  })
  afterAll(() => site.remove())
  const pages = setUpPages()
  beforeAll(() => {
    const { browser } = pages
    Object.assign(site, {
      browser,
      open: (page: object) => pages.open({ origin: site.origin, ...page }),
    })
  })
  return site
}
