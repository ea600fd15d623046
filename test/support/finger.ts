import type { CDPSession, Page } from 'playwright-core'

type Point = { x: number; y: number }

const STEPS = 6

/**
 * Moves one finger over the page in a line, because Playwright itself only taps.
 * @returns a function that lifts the finger
 */
export async function dragFinger(page: Page, from: Point, to: Point): Promise<() => Promise<void>> {
  const client = await page.context().newCDPSession(page)
  await touch(client, 'touchStart', from)
  for (let step = 1; step <= STEPS; step++) {
    const part = step / STEPS
    const x = from.x + (to.x - from.x) * part
    await touch(client, 'touchMove', { x, y: from.y + (to.y - from.y) * part })
  }
  return async () => {
    await touch(client, 'touchEnd')
    await client.detach()
  }
}

export async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const lift = await dragFinger(page, from, to)
  await lift()
}

const touch = (client: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point) =>
  client.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })

/** Emulates a phone that is turned. */
export async function turnPhone(page: Page, isSideways: boolean): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setDeviceMetricsOverride', {
    ...(isSideways ? { width: 844, height: 390 } : { width: 390, height: 844 }),
    ...{ deviceScaleFactor: 1, mobile: true },
    screenOrientation: isSideways
      ? { type: 'landscapePrimary', angle: 90 }
      : { type: 'portraitPrimary', angle: 0 },
  })
}

/** Sets the insets of a screen with round corners or a cutout. */
export async function setSafeArea(
  page: Page,
  insets: { top?: number; left?: number; right?: number; bottom?: number },
): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setSafeAreaInsetsOverride', { insets })
}
