import type { ParsedLocation } from '@tanstack/react-router'
import { nextPage } from '#client/platform/next-page.ts'
import { findPlace, keepPlace } from './kept-places.ts'

const MOST_PAGES = 100

type Page = { nextCursor: string | null }
type Options = {
  pages: number
  staleTime?: number
  getNextPageParam: (page: Page | null) => string | undefined
}

/** tRPC utilities of a paged list. */
type PagedList<Input, Answer extends Page | null> = {
  getInfiniteData: (input: Input) => { pages: Answer[] } | undefined
  setInfiniteData: (
    input: Input,
    data: { pages: Answer[]; pageParams: (string | null)[] },
  ) => unknown
  fetch: (input: Input & { cursor?: string }, options: { staleTime: number }) => Promise<Answer>
  prefetchInfinite: (input: Input, options: Options) => Promise<void>
}

/**
 * Loads as many pages as the history entry showed, to restore the scroll position after a reload.
 * Otherwise the route does not wait.
 */
export function loadList<Input extends object, Answer extends Page | null>(
  location: ParsedLocation,
  list: PagedList<Input, Answer>,
  input: Input,
): Promise<void> | undefined {
  const cursors = findPlace(location)?.cursors ?? []
  const loaded = list.getInfiniteData(input)
  const pages = cursors.length + 1
  const isShort = pages > (loaded?.pages.length ?? 0)
  const prefetch = () =>
    list.prefetchInfinite(input, {
      ...nextPage,
      pages,
      ...(isShort && loaded && { staleTime: 0 }),
    })
  if (!isShort || pages === 1) {
    void prefetch()
    return undefined
  }
  return loadAtOnce(list, input, cursors).then((isDone) => (isDone ? undefined : prefetch()))
}

/**
 * In parallel, by stored cursors.
 * @returns false, without a change, when pages no longer connect, as after an insertion
 */
async function loadAtOnce<Input extends object, Answer extends Page | null>(
  list: PagedList<Input, Answer>,
  input: Input,
  cursors: readonly string[],
): Promise<boolean> {
  const first = list.fetch(input, { staleTime: 0 })
  const others = cursors.map((cursor) => list.fetch({ ...input, cursor }, { staleTime: 0 }))
  const pages = await Promise.all([first, ...others]).catch(() => undefined)
  if (!pages || cursors.some((cursor, index) => pages[index]?.nextCursor !== cursor)) return false
  list.setInfiniteData(input, { pages, pageParams: [null, ...cursors] })
  return true
}

/** For the history entry. */
export function rememberPages(location: ParsedLocation, pages: readonly unknown[]): void {
  const known = findPlace(location)?.cursors ?? []
  const cursors = pages
    .slice(0, -1)
    .flatMap(cursorOf)
    .slice(0, MOST_PAGES - 1)
  if (cursors.join() !== known.join()) keepPlace(location, { cursors })
}

function cursorOf(page: unknown): string[] {
  const isPage = typeof page === 'object' && page !== null && 'nextCursor' in page
  return isPage && typeof page.nextCursor === 'string' ? [page.nextCursor] : []
}
