import { expect, test } from 'vitest'
import { withSkeleton } from '#server/discovery/sharing/page-skeleton.ts'
import type { Tonight } from '#shared/schemas/home.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

const PAGE = '<div id="root"><!--skeleton--><svg></svg><!--/skeleton--></div>'

function describe(video: Partial<Video>): string {
  const about = { title: 'Ace', thumbnailUrl: null, cardUrl: null, preview: null, ...video }
  return withSkeleton(PAGE, { kind: 'home', videos: [about as Video] })
}

test('the home page holds the titles and pictures of its first cards', () => {
  const cards = {
    thumbnailUrl: '/media/a/poster.jpg',
    cardUrl: '/media/a/poster-card-0123456789ab.webp',
  }
  const page = describe({ ...cards, preview: 'UklG', width: 1920, height: 1080, title: '<b>1 & 2' })
  expect(page).toContain('<b>&lt;b&gt;1 &amp; 2</b>')
  expect(page).toContain('/media/a/poster-card-320-0123456789ab.webp 320w')
  expect(page).toContain('/media/a/poster-card-0123456789ab.webp 640w')
  expect(page).toContain('/media/a/poster-card-960-0123456789ab.webp 960w')
  expect(page).toContain('style="background-image:url(data:image/webp;base64,UklG)"')
  expect(page.match(/skeleton-card/g)).toHaveLength(1)
})

test('below the large picture at the top only the first card is requested before there are styles', () => {
  const about = { preview: 'UklG', width: 1920, height: 1080, title: 'Ace', thumbnailUrl: null }
  const videos = Array.from({ length: 6 }, (_, index) => {
    return { ...about, id: index, cardUrl: `/media/${index}/poster-card.webp` } as Video
  })
  const [first] = videos
  const countOf = (page: string, text: string) => page.split(text).length - 1
  const alone = withSkeleton(PAGE, { kind: 'home', videos, tonight: null })
  expect(countOf(alone, 'fetchpriority="high"')).toBe(4)
  expect(countOf(alone, 'loading="lazy"')).toBe(3)
  const tonight = { kind: 'video', video: first, isNewest: true, file: null } as Tonight
  const below = withSkeleton(PAGE, { kind: 'home', videos, tonight })
  expect(countOf(below, 'fetchpriority="high"')).toBe(1)
  expect(countOf(below, 'loading="lazy"')).toBe(4)
})

test('an upright picture is shown whole', () => {
  const page = describe({ cardUrl: '/media/a/poster-card.webp', width: 720, height: 1280 })
  expect(page).toContain('data-whole')
  expect(page).not.toContain('srcset')
})

test('a card without a picture has its title', () => {
  expect(describe({})).toContain('<i class="skeleton-card"><b>Ace</b></i>')
})

test('without videos there are boxes', () => {
  const page = withSkeleton(PAGE, { kind: 'home' })
  expect(page.match(/class="skeleton-card"/g)).toHaveLength(12)
})
