import type { ParsedLocation } from '@tanstack/react-router'

const STORE = 'clutch-list-pages'

type Page = { nextCursor: string | null }
type Options = {
  pages: number
  staleTime?: number
  getNextPageParam: (page: Page) => string | undefined
}

/**
 * Loads a list for the page that a route is about to show: as many pages of it as this entry of the history has shown
 * before, so that its place is there to come back to after a reload. Only then has the route to wait.
 */
export function loadList(
  location: ParsedLocation,
  loaded: { pages: unknown[] } | undefined,
  prefetch: (options: Options) => Promise<void>,
): Promise<void> | undefined {
  const pages = readCounts()[keyOf(location)] ?? 1
  const isShort = pages > (loaded?.pages.length ?? 0)
  const getNextPageParam = (page: Page) => page.nextCursor ?? undefined
  const done = prefetch({ pages, getNextPageParam, ...(isShort && loaded && { staleTime: 0 }) })
  return isShort && pages > 1 ? done : undefined
}

/** Remembers, as long as the tab lives, how many pages of its list an entry of the history shows. */
export function rememberPages(location: ParsedLocation, count: number): void {
  const key = keyOf(location)
  const counts = readCounts()
  if ((counts[key] ?? 1) === count) return
  try {
    sessionStorage.setItem(STORE, JSON.stringify({ ...counts, [key]: count }))
  } catch {
    // Without storage the list begins again after a reload.
  }
}

/** As the router keys the places that it remembers itself. */
const keyOf = ({ state, href }: ParsedLocation) => state.__TSR_key ?? href

function readCounts(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '{}')
  } catch {
    return {}
  }
}
