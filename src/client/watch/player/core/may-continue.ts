import { hasOpenDialog } from '#client/platform/has-open-dialog.ts'

/** Scrolling lasts this long after the last event. */
const SCROLL_REST_MS = 2000
const IN_SIGHT_SHARE = 0.5
const MENUS = '[role="menu"], [role="listbox"]'
const WRITING = 'textarea, [contenteditable="true"], [contenteditable=""]'
const FIELDS =
  'input:not([type="range"], [type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [contenteditable=""]'

let scrolledAt = Number.NEGATIVE_INFINITY

/** Observes page scrolling and the wheel. @returns a stop function */
export function noteScrolling(): () => void {
  const over = new AbortController()
  const options = { capture: true, passive: true, signal: over.signal }
  const note = () => {
    scrolledAt = performance.now()
  }
  // Lists inside the page also scroll by themselves.
  const noteOfPage = ({ target }: Event) => target === document && note()
  document.addEventListener('scroll', noteOfPage, options)
  document.addEventListener('wheel', note, options)
  return () => over.abort()
}

/**
 * False while another video would disturb: less than half of the player is visible, or the viewer
 * types, scrolls or has a menu or dialog open.
 */
export function mayContinue(frame: HTMLElement | undefined): boolean {
  // The mini player replaces no page.
  if (frame?.dataset.mini !== undefined) return true
  return isInSight(frame) && !isOccupied()
}

/** At least half of it, below the site's header. */
export function isInSight(frame: HTMLElement | undefined): boolean {
  if (!frame || document.fullscreenElement) return true
  const { top, bottom, left, right, height, width } = frame.getBoundingClientRect()
  const root = getComputedStyle(document.documentElement)
  const headerHeight = Number.parseFloat(root.getPropertyValue('--header-height')) || 0
  const seenHeight = Math.min(bottom, innerHeight) - Math.max(top, headerHeight)
  const seenWidth = Math.min(right, innerWidth) - Math.max(left, 0)
  if (seenHeight <= 0 || seenWidth <= 0) return false
  return seenHeight * seenWidth >= height * width * IN_SIGHT_SHARE
}

function isOccupied(): boolean {
  if (performance.now() - scrolledAt < SCROLL_REST_MS) return true
  if (document.activeElement?.matches(FIELDS)) return true
  const isShown = (one: Element) => one.checkVisibility()
  if (hasOpenDialog() || [...document.querySelectorAll(MENUS)].some(isShown)) return true
  return [...document.querySelectorAll(WRITING)].some((one) => isShown(one) && textOf(one) !== '')
}

function textOf(one: Element): string {
  const text = one instanceof HTMLTextAreaElement ? one.value : (one.textContent ?? '')
  return text.trim()
}
