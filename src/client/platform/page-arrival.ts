import type { AnyRouter } from '@tanstack/react-router'

const listeners = new Set<() => void>()
let title: string | undefined
let wantedTitle: string | undefined
let siteName = 'Clutch'
let progress = ''
let announced = ''

/** Announced to screen readers, except on the first page. */
export function setPageTitle(wanted: string | undefined): void {
  wantedTitle = wanted
  showTitle()
  const isFirst = title === undefined
  title = wanted ?? 'Home'
  if (isFirst || title === announced) return
  announced = title
  for (const listener of listeners) listener()
}

/** Suffix of every title. */
export function setSiteName(name: string): void {
  siteName = name
  if (title !== undefined) showTitle()
}

/** Prefix of the title, such as '46% · Home'. */
export function setTitleProgress(text: string | undefined): void {
  const next = text ? `${text} · ` : ''
  if (next === progress) return
  progress = next
  showTitle()
}

function showTitle(): void {
  document.title = progress + (wantedTitle ? `${wantedTitle} · ${siteName}` : siteName)
}

/** Empty on the first page. */
export function announcedTitle(): string {
  return announced
}

export function subscribeToTitle(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Focuses the start of a new page, since the pressed link is gone. Tabs and filters keep the focus.
 */
export function moveFocusOnArrival(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
    const main = document.querySelector('main')
    if (!main || main.contains(document.activeElement)) return
    main.tabIndex = -1
    main.focus({ preventScroll: true })
  })
}
