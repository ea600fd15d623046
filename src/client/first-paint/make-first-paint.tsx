import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { cardKey, type FirstPaint, shellKey } from '#shared/first-paint.ts'
import { KitProvider } from '../kit/kit-provider.tsx'
import { homeRoute } from '../route-tree/public-routes.ts'
import { rootRoute, shellRoute } from '../route-tree/root-routes.tsx'
import { queryClient, trpc, trpcClient, trpcUtils } from '../trpc.ts'
import { SAMPLE_CHANNEL_ID, sampleSite, sampleVideos } from './sample-page.ts'

/**
 * Draws the home page with samples in place of what only the server knows, and cuts it into the pieces that the
 * server puts together: the very components of the app draw what is seen before the app is there.
 * @throws when a piece does not look as the cuts expect
 */
export async function makeFirstPaint(): Promise<FirstPaint> {
  const videos = sampleVideos()
  const shells: FirstPaint['shells'] = {}
  let page = ''
  for (const hasLogo of [false, true]) {
    for (const hasRules of [false, true]) {
      const site = sampleSite({ hasLogo, hasRules })
      page = await drawHome(site, videos)
      shells[shellKey(site)] = toShell(page)
    }
  }
  const drawn = page.match(CARD) ?? []
  const cards = videos.map((video, index) => [cardKey(video), toCard(drawn[index] ?? '', video.id)])
  return { shells, category: toCategory(page), cards: Object.fromEntries(cards) }
}

const CARD = /<article[^>]*>.*?<\/article>/gs
const CARDS = /<article.*<\/article>/s
const CATEGORY = /<li data-game="%category%">.*?<\/li>/s

async function drawHome(
  site: ReturnType<typeof sampleSite>,
  items: ReturnType<typeof sampleVideos>,
): Promise<string> {
  trpcUtils.auth.currentUser.setData(undefined, null)
  trpcUtils.site.settings.setData(undefined, site)
  const pages = [{ items, nextCursor: null }]
  trpcUtils.video.list.setInfiniteData({ category: undefined }, { pages, pageParams: [] })
  const router = createRouter({
    routeTree: rootRoute.addChildren([shellRoute.addChildren([homeRoute])]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  return renderToStaticMarkup(
    <trpc.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <KitProvider>
          <RouterProvider router={router as never} />
        </KitProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  )
}

function toShell(page: string): string {
  return withoutIds(cut(cut(page, CARDS, '%cards%'), CATEGORY, '%categories%'))
}

function toCategory(page: string): string {
  const [chip = ''] = CATEGORY.exec(page) ?? []
  return cut(chip, /%25category%25/, '%address%')
}

function toCard(card: string, id: number): string {
  let text = cut(card, new RegExp(`/video/${id}`), '/video/%id%')
  text = cut(text, /1\.2M views/, '%views%')
  text = cut(
    text,
    /<time dateTime="[^"]*" title="[^"]*">[^<]*</,
    '<time dateTime="%published%" title="%date%">%ago%<',
  )
  text = text
    .replace(`/profile/${SAMPLE_CHANNEL_ID}`, '/profile/%channelId%')
    .replace(/--hue:\d+/, '--hue:%hue%')
    .replace('>%</span>', '>%letter%</span>')
    .replace(/srcSet="[^"]*"/, 'srcSet="%srcset%"')
    .replace('>1:01:01<', '>%duration%<')
  return withoutIds(text)
}

/** Menus open once the app is there, and its ids are its own. */
function withoutIds(markup: string): string {
  return markup.replace(/ id="(_|mantine-)[^"]*"/g, '')
}

function cut(text: string, pattern: RegExp, slot: string): string {
  if (!pattern.test(text))
    throw new Error(`The first paint has no ${pattern}: ${text.slice(0, 300)}`)
  return text.replace(pattern, slot)
}
