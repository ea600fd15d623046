import { escapeMarkup } from '#shared/embed-code.ts'
import { QUIET_VIDEOS } from '#shared/limits.ts'
import { CARD_SIZES, HERO_SIZES, isOtherShape, posterOf } from '#shared/poster.ts'
import type { Tonight } from '#shared/schemas/home.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { PageSubject } from './page-head.ts'

const CARDS = 12
/** First row of a large window, loaded with high priority. */
export const FIRST_CARDS = 4
/** Used where no larger picture is above the cards. */
const PHONE_CARDS = 3
const ROWS = 6
const PLACE = /<!--skeleton-->.*<!--\/skeleton-->/s
const MARK = /<svg.*<\/svg>/s

/** Within the app's frame. */
export type Skeleton = PageSubject['kind'] | 'plain'

type Content = {
  kind: Skeleton
  /** Poster of the page's video. */
  posterUrl?: string | null | undefined
  /** File that the player takes over while its first bytes load. */
  fileUrl?: string | null | undefined
  /** Shown as cards instead of boxes; given for the home page. */
  videos?: Video[] | undefined
  /** The top of the home page; undefined if it is not known yet. */
  tonight?: Tonight | null | undefined
  /** The admins' sentence about the site. */
  welcome?: string | undefined
}

/** `skeleton.css` lays boxes, pictures and titles out like the app. */
export function withSkeleton(page: string, content: Content): string {
  return page.replace(
    PLACE,
    (built) => `<div class="skeleton" aria-hidden="true">
        <div class="skeleton-header"></div><div class="skeleton-sidebar"></div>
        <div class="skeleton-content">${contentOf(content)}</div>
        <div class="skeleton-tabs"></div>
        <div class="skeleton-mark">${MARK.exec(built)?.[0] ?? ''}</div>
      </div>`,
  )
}

function contentOf({ kind, posterUrl, fileUrl, videos = [], ...home }: Content): string {
  switch (kind) {
    case 'home': {
      const { tonight, welcome } = home
      const sentence = welcome ? `<p class="skeleton-welcome">${escapeMarkup(welcome)}</p>` : ''
      const others = videos.filter(({ id }) => tonight?.kind !== 'video' || id !== tonight.video.id)
      const isQuiet = videos.length > 0 && videos.length < QUIET_VIDEOS
      return `${box('bar')}${sentence}${evening(tonight)}${cards(others, { isQuiet, isTop: !tonight })}`
    }
    case 'search':
      return `${box('bar')}${cards(videos)}`
    case 'channel':
      return `${box('banner')}${box('names')}${cards()}`
    case 'playlist':
      return `<div class="skeleton-list"><div>${box('picture')}</div><div>${box('row', ROWS)}</div></div>`
    case 'video':
    case 'clip': {
      const poster = posterUrl
        ? `<img src="${escapeMarkup(posterUrl)}" alt="" fetchpriority="high">`
        : ''
      const file = fileUrl
        ? `<video hidden preload="metadata" playsinline src="${escapeMarkup(fileUrl)}"></video>`
        : ''
      return `<div class="skeleton-watch"><div><div class="skeleton-screen">${poster}${file}</div>${box('title')}${box('about')}</div><div>${box('row', ROWS)}</div></div>`
    }
    case 'explore':
    case 'clips':
    case 'plain':
      return ''
  }
}

const box = (name: string, count = 1) => `<i class="skeleton-${name}"></i>`.repeat(count)

function cards(videos: Video[] = [], { isQuiet = false, isTop = true } = {}): string {
  const known = videos
    .slice(0, CARDS)
    .map((video, index) => card(video, { index, isTop }))
    .join('')
  const look = isQuiet ? ' data-quiet' : ''
  return `<div class="skeleton-grid"${look}>${known || (isQuiet ? '' : box('card', CARDS))}</div>`
}

/** Draws an empty box if `tonight` is not known yet. */
function evening(tonight: Tonight | null | undefined): string {
  if (tonight === null) return ''
  if (!tonight) return `<div class="skeleton-tonight">${box('poster')}<b></b></div>`
  const { video } = tonight.kind === 'clip' ? tonight.clip : tonight
  const { title } = tonight.kind === 'clip' ? tonight.clip : video
  const clipPicture = tonight.kind === 'clip' ? tonight.clip.pictureUrl : null
  const { src, srcSet } = clipPicture ? { src: clipPicture } : posterOf(video)
  const attributes = [
    `src="${escapeMarkup(src ?? '')}" alt="" width="960" height="540" fetchpriority="high"`,
    srcSet && `srcset="${escapeMarkup(srcSet)}" sizes="${HERO_SIZES}"`,
    isOtherShape(video) && 'data-whole',
  ]
  const picture = src ? `<img ${attributes.filter(Boolean).join(' ')}>` : ''
  return `<div class="skeleton-tonight"><i class="skeleton-poster">${picture}</i><b>${escapeMarkup(title)}</b></div>`
}

/** @param place.isTop false below a larger picture, whose bytes come first */
function card(video: Video, { index, isTop }: { index: number; isTop: boolean }): string {
  const { src, srcSet, previewUrl } = posterOf(video)
  const title = `<b>${escapeMarkup(video.title)}</b>`
  if (!src) return `<i class="skeleton-card">${title}</i>`
  const attributes = [
    `src="${escapeMarkup(src)}" alt="" width="640" height="360"`,
    isTop && index < FIRST_CARDS && 'fetchpriority="high"',
    // Lazy ones are loaded once they have a place; not on phones, where `skeleton.css` hides them.
    index >= (isTop ? PHONE_CARDS : 1) && 'loading="lazy"',
    srcSet && `srcset="${escapeMarkup(srcSet)}" sizes="${CARD_SIZES}"`,
    isOtherShape(video)
      ? 'data-whole'
      : previewUrl && `style="background-image:url(${previewUrl})"`,
  ]
  return `<i class="skeleton-card"><img ${attributes.filter(Boolean).join(' ')}>${title}</i>`
}
