import { escapeMarkup } from '#shared/embed-code.ts'
import type { PageSubject } from './page-head.ts'

/** As many as a large window shows. */
const CARDS = 12
const ROWS = 6
/** Where the built page says what stands until the app draws: the turning mark, for who waits long. */
const PLACE = /<!--skeleton-->.*<!--\/skeleton-->/s
const MARK = /<svg.*<\/svg>/s

/** The kinds of pages that have the app's frame around them. */
export type Skeleton = PageSubject['kind'] | 'plain'

/**
 * Puts the boxes of a page, which `skeleton.css` lays out as the app does, where the app will draw it.
 * @param posterUrl of the video that the page is about
 */
export function withSkeleton(
  page: string,
  { kind, posterUrl }: { kind: Skeleton; posterUrl?: string | null | undefined },
): string {
  return page.replace(
    PLACE,
    (built) => `<div class="skeleton" aria-hidden="true">
        <div class="skeleton-header"></div><div class="skeleton-sidebar"></div>
        <div class="skeleton-content">${contentOf(kind, posterUrl)}</div>
        <div class="skeleton-tabs"></div>
        <div class="skeleton-mark">${MARK.exec(built)?.[0] ?? ''}</div>
      </div>`,
  )
}

function contentOf(kind: Skeleton, posterUrl: string | null | undefined): string {
  switch (kind) {
    case 'home':
    case 'search':
      return `${box('bar')}${cards()}`
    case 'channel':
      return `${box('banner')}${box('names')}${cards()}`
    case 'playlist':
      return `<div class="skeleton-list"><div>${box('picture')}</div><div>${box('row', ROWS)}</div></div>`
    case 'video':
    case 'clip': {
      const poster = posterUrl
        ? `<img src="${escapeMarkup(posterUrl)}" alt="" fetchpriority="high">`
        : ''
      return `<div class="skeleton-watch"><div><div class="skeleton-screen">${poster}</div>${box('title')}${box('about')}</div><div>${box('row', ROWS)}</div></div>`
    }
    case 'explore':
    case 'plain':
      return ''
  }
}

const box = (name: string, count = 1) => `<i class="skeleton-${name}"></i>`.repeat(count)
const cards = () => `<div class="skeleton-grid">${box('card', CARDS)}</div>`
