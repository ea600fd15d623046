import { setTimeout as wait } from 'node:timers/promises'
import type { ElementHandle, Page } from 'puppeteer-core'
import { ACTION_MS } from './firefox.ts'

/** One look is given up after this: what is asked of a page that is just being left is never answered. */
const LOOK_MS = 10_000
const PAUSE_MS = 50

/** Waits until an element is seen. @throws an error with what the page shows instead */
export const find = (page: Page, selector: string): Promise<ElementHandle> =>
  lookFor(page, selector, (element) => element.isVisible())

/** As `find`, also for a control that is drawn by something else. */
export const findHidden = (page: Page, selector: string): Promise<ElementHandle> =>
  lookFor(page, selector, async () => true)

/**
 * Looks again and again from outside of the page. What puppeteer leaves in a page to look again is lost with a page that is
 * just being left, and what it makes by `Function` the site's policy forbids.
 */
async function lookFor(
  page: Page,
  selector: string,
  isWanted: (element: ElementHandle) => Promise<boolean>,
): Promise<ElementHandle> {
  const look = async () => {
    const element = await page.$(selector)
    return element && (await isWanted(element)) ? element : undefined
  }
  const end = Date.now() + ACTION_MS
  while (Date.now() < end) {
    const element = await Promise.race([look().catch(() => undefined), wait(LOOK_MS)])
    if (element) return element
    await wait(PAUSE_MS)
  }
  const describe = () => `${document.URL}: ${document.body.innerText.slice(0, 500)}`
  const shown = await Promise.race([page.evaluate(describe).catch(String), wait(LOOK_MS)])
  throw new Error(`There is no ${selector} on ${shown}`)
}
