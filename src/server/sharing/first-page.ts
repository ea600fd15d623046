import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeMarkup } from '#shared/embed-code.ts'
import {
  BEGIN_SCRIPT_ID,
  cardKey,
  FIRST_CARDS,
  FIRST_PAINT_FILE,
  type FirstPaint,
  SERVED_ATTRIBUTE,
  shellKey,
} from '#shared/first-paint.ts'
import { formatDate, formatDuration, formatRelativeTime, formatViews } from '#shared/format.ts'
import { hueOf } from '#shared/hue-of.ts'
import { CATEGORIES } from '#shared/limits.ts'
import { posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/video.schemas.ts'
import type { Database } from '../db/database.ts'
import { findSiteSettings } from '../site/site.queries.ts'
import { listVideos } from '../video/video-lists.queries.ts'

/** The pictures of the first row on a large window: they come before any other. */
const EAGER_CARDS = 4
const ANONYMOUS = 'Anonymous'
/** What index.html shows until there is anything better. */
const EMPTY_ROOT = /<div id="root">.*?<\/svg>\s*<\/div>\s*<\/div>/s

export type FirstPage = Awaited<ReturnType<typeof readFirstPage>>

/**
 * The home page of visitors as HTML with its first cards, so that they are seen before any script has been loaded.
 * @param input.after the built page from its title on
 * @param input.beginScript runs the app once the pictures are shown
 * @param input.question the address of what the app asks first
 * @returns undefined when the client was built without it
 */
export async function readFirstPage(
  clientFolder: string,
  {
    after,
    beginScript,
    question,
  }: { after: string; beginScript: string | undefined; question: string },
) {
  const text = await readFile(join(clientFolder, FIRST_PAINT_FILE), 'utf8').catch(() => undefined)
  if (!text || !beginScript || !EMPTY_ROOT.test(after)) return undefined
  const paint = JSON.parse(text) as FirstPaint
  const page = putOffApp(after, { beginScript, question })
  return {
    /** The page from its title on, with nothing of the site in it. */
    template: page,

    /** The page from its title on; null when there is nothing to show yet. */
    async render(db: Database, now: Date): Promise<string | null> {
      const site = await findSiteSettings(db)
      const { items } = await listVideos(db, { viewer: undefined, limit: FIRST_CARDS })
      if (items.length === 0) return null
      const hasRules = site.rules !== ''
      const shell = paint.shells[shellKey({ logoUrl: site.logoUrl, hasRules })]
      if (shell === undefined) return null
      const slots: Slots = {
        site: site.name,
        logo: site.logoUrl ?? '',
        categories: drawCategories(paint, [...CATEGORIES, ...site.extraCategories]),
        cards: markup(items.map((video, index) => drawCard(paint, { video, index, now })).join('')),
      }
      const root = `<div id="root" ${SERVED_ATTRIBUTE}>${fill(shell, slots)}</div>`
      return page.replace(EMPTY_ROOT, () => root)
    },
  }
}

const MODULE_PRELOAD = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g

/** Has the app fetched and run after the first paint: its script and all that this imports. */
function putOffApp(
  page: string,
  { beginScript, question }: { beginScript: string; question: string },
): string {
  const files = [...page.matchAll(MODULE_PRELOAD)].map(([, file]) => file)
  return page
    .replace(MODULE_PRELOAD, '')
    .replace(
      /<script type="module" crossorigin src="([^"]+)"><\/script>/,
      (_, app) =>
        `<script type="module" id="${BEGIN_SCRIPT_ID}" data-app="${app}" data-imports="${files.join(' ')}" data-question="${escapeMarkup(question)}">${beginScript}</script>`,
    )
}

/** A text is escaped, markup is not. */
type Slots = Record<string, string | { markup: string }>
const markup = (text: string) => ({ markup: text })

function fill(template: string, slots: Slots): string {
  return template.replace(/%(\w+)%/g, (whole, name: string) => {
    const value = slots[name]
    if (value === undefined) return whole
    return typeof value === 'string' ? escapeMarkup(value) : value.markup
  })
}

function drawCategories(paint: FirstPaint, categories: string[]) {
  const chips = categories.map((category) =>
    fill(paint.category, { category, address: encodeURIComponent(category) }),
  )
  return markup(chips.join(''))
}

function drawCard(
  paint: FirstPaint,
  { video, index, now }: { video: Video; index: number; now: Date },
): string {
  const { channel } = video
  const name = channel?.displayName ?? ANONYMOUS
  const { src, srcSet = '' } = posterOf(video)
  const card = fill(paint.cards[cardKey(video)] ?? '', {
    id: String(video.id),
    title: video.title,
    game: video.category,
    src: src ?? '',
    srcset: srcSet,
    duration: formatDuration(video.duration),
    channel: name,
    channelId: String(channel?.id ?? ''),
    avatar: channel?.avatarUrl ?? '',
    hue: String(hueOf(name)),
    letter: [...name.trim()][0]?.toUpperCase() ?? '?',
    views: formatViews(video.viewCount),
    published: video.publishedAt,
    date: formatDate(video.publishedAt),
    ago: formatRelativeTime(video.publishedAt, now),
  })
  return index < EAGER_CARDS
    ? card.replace('loading="lazy"', 'loading="eager" fetchpriority="high"')
    : card
}
