import type { AnyRouter } from '@tanstack/react-router'

const listeners = new Set<() => void>()
let title: string | undefined
let wantedTitle: string | undefined
let siteName = 'Clutch'
let progress = ''
let announced = ''

/** Gives the document its title; on any page but the first it is read out too. */
export function setPageTitle(wanted: string | undefined): void {
  wantedTitle = wanted
  showTitle()
  const isFirst = title === undefined
  title = wanted ?? 'Home'
  if (isFirst || title === announced) return
  announced = title
  for (const listener of listeners) listener()
}

/** What the site calls itself, behind every title. */
export function setSiteName(name: string): void {
  siteName = name
  if (title !== undefined) showTitle()
}

/** Puts how far something is before every title: '46% · Home'; undefined when it is over. */
export function setTitleProgress(text: string | undefined): void {
  const next = text ? `${text} · ` : ''
  if (next === progress) return
  progress = next
  showTitle()
}

function showTitle(): void {
  document.title = progress + (wantedTitle ? `${wantedTitle} · ${siteName}` : siteName)
}

/** The title of the page that was come to; empty on the first. */
export function announcedTitle(): string {
  return announced
}

export function subscribeToTitle(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Puts the focus at the beginning of each page that is gone to, so that keys and screen readers go
 * on from there and not from a link that is gone. Tabs and filters of a page leave it where it is.
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
