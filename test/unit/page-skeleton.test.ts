import { expect, test } from 'vitest'
import { withSkeleton } from '#server/discovery/sharing/page-skeleton.ts'
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
