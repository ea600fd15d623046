import type { Page } from 'playwright-core'

/**
 * Takes the page's connection away or gives it back, and waits until it is so: a busy browser reports the page and the
 * process that sends its requests one after the other.
 */
export async function setConnected(page: Page, connected: boolean): Promise<void> {
  await page.context().setOffline(!connected)
  await page.waitForFunction(async (connected) => {
    const answered = await fetch('/api/health').then(
      () => true,
      () => false,
    )
    return navigator.onLine === connected && answered === connected
  }, connected)
}
