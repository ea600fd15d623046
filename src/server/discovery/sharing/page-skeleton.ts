import { escapeMarkup } from '#shared/embed-code.ts'
import type { PageSubject } from './page-head.ts'

const CARDS = 12
const ROWS = 6
const PLACE = /<!--skeleton-->.*<!--\/skeleton-->/s
const MARK = /<svg.*<\/svg>/s

/** Within the app's frame. */
export type Skeleton = PageSubject['kind'] | 'plain'

/**
 * `skeleton.css` lays boxes out like the app.
 * @param posterUrl of the page's video
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
    case 'clips':
    case 'plain':
      return ''
  }
}

const box = (name: string, count = 1) => `<i class="skeleton-${name}"></i>`.repeat(count)
const cards = () => `<div class="skeleton-grid">${box('card', CARDS)}</div>`
