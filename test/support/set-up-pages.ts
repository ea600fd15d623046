import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launchBrowser, openPage, type PageOptions } from './browser.ts'
import { closePage } from './used-pages.ts'

export type Pages = {
  browser: Browser
  /** Opens a page as a new visitor, as `openPage` does. After the test that opened it, it is closed. */
  open: (options: PageOptions) => ReturnType<typeof openPage>
}

/** Opens the browser of this process for the tests of a file; the object has no properties before that. */
export function setUpPages(): Pages {
  const pages = {} as Pages
  const opened = new Set<Page>()
  beforeAll(async () => {
    const browser = await launchBrowser()
    const open: Pages['open'] = async (options) => {
      const made = await openPage(browser, options)
      opened.add(made.page)
      return made
    }
    Object.assign(pages, { browser, open })
  })
  // What is opened before the first test is for all of them.
  beforeEach(() => opened.clear())
  afterEach(async () => {
    for (const page of opened) await closePage(page)
  })
  afterAll(() => pages.browser.close())
  return pages
}
