import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const TABS_AT_MOST = 80

/** What has the focus, as a screen reader would name it. */
export async function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return ''
    const { labels } = focused as HTMLInputElement
    const name =
      focused.getAttribute('aria-label') ??
      (labels && labels.length > 0 ? labels[0]?.textContent : undefined) ??
      (focused.matches('main, dialog') ? focused.tagName.toLowerCase() : focused.textContent)
    return (name ?? '').trim()
  })
}

/**
 * Tabs until something of that name has the focus. On the way every stop must show that it has the
 * focus and lie in sight, under nothing.
 * @returns the names of the stops
 */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<string[]> {
  const stops: string[] = []
  while (stops.length < TABS_AT_MOST) {
    await page.keyboard.press(key)
    const stop = await focusedName(page)
    stops.push(stop)
    expect(await focusProblem(page), `${stop} (after ${stops.slice(-4, -1).join(', ')})`).toBe('')
    if (typeof name === 'string' ? stop === name : name.test(stop)) return stops
  }
  throw new Error(`${name} was not among ${stops.join(' | ')}`)
}

/** Why the focus cannot be seen; empty when it can. */
async function focusProblem(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return ''
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await frame()
    await frame()
    const isOutlined = (element: Element | null | undefined) => {
      if (!element) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
    }
    const around = [
      ...[focused, focused.parentElement, focused.nextElementSibling],
      // A card, and a field with other things in it, show the focus as a whole.
      ...[focused.closest('article'), focused.closest('.mantine-Input-input')],
    ]
    const behind = ['::before', '::after'].some((part) => {
      const { outlineStyle, content } = getComputedStyle(focused, part)
      return content !== 'none' && outlineStyle !== 'none'
    })
    if (!behind && !around.some(isOutlined)) return 'shows no focus'
    const { left, top, width, height } = focused.getBoundingClientRect()
    if (width <= 1 && height <= 1) return ''
    const corners = [0.1, 0.5, 0.9].map((part) =>
      document.elementFromPoint(left + width * part, top + height * part),
    )
    const isSeen = corners.some((one) => one && (focused.contains(one) || one.contains(focused)))
    return isSeen ? '' : 'is out of sight'
  })
}
