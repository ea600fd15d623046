import { createRoute, redirect } from '@tanstack/react-router'
import { type ChannelTab, toChannelTab } from '#client/browse/channel/channel-tab.ts'
import { type FeedTab, toFeedTab } from '#client/browse/feed/feed-tab.ts'
import { type SearchAddress, toSearchInput, toSort } from '#client/browse/search/search-address.ts'
import { toCategory } from '#client/browse/video/list/category.ts'
import { lazyPage } from '#client/platform/missing-chunk.tsx'
import { loadList } from '#client/platform/place/list-pages.ts'
import { trpcUtils } from '#client/trpc.ts'
import { parseVideoId } from '#client/watch/player/video-id.ts'
import { CLIPS_SHOWN, NEW_CLIPS_SHOWN } from '#shared/limits.ts'
import { HomePage } from '../browse/home-page.tsx'
import { findUser, siteHasCategory } from './guards.ts'
import { askAroundVideo, askForHome, askForVideo } from './page-questions.ts'
import { bareRoute, shellRoute } from './root-routes.tsx'

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: ({ category }): { category?: string } =>
    typeof category === 'string' ? { category } : {},
  beforeLoad: async ({ search: { category } }) => {
    if (category !== undefined && !(await siteHasCategory(category))) {
      throw redirect({ to: '/', replace: true })
    }
  },
  loaderDeps: ({ search }) => ({ category: toCategory(search.category) }),
  loader: ({ deps, location }) => {
    askForHome(deps.category)
    return loadList(location, trpcUtils.video.list, deps)
  },
  // Not lazy, as most visits begin here.
  component: HomePage,
})

const importWatchPage = () => import('../watch/watch-page.tsx')

export const watchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/video/$id',
  validateSearch: (search): { list?: string; t?: string } => search,
  loader: ({ params, cause }) => {
    const id = parseVideoId(params.id)
    if (id === undefined) return
    askForVideo(id)
    if (cause !== 'preload') askAroundVideo(id)
    void importWatchPage().then(
      ({ loadKnownVideo }) => loadKnownVideo(id),
      () => undefined,
    )
  },
  component: lazyPage(importWatchPage, 'WatchPage'),
})

export const roomRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/room/$token',
  component: lazyPage(importWatchPage, 'RoomPage'),
})

export const squadViewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/squad-view/$id',
  component: lazyPage(importWatchPage, 'SquadViewPage'),
})

export const clipRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clip/$id',
  validateSearch: (search): { list?: string; t?: string } => search,
  loader: ({ params }) => {
    const id = parseVideoId(params.id)
    if (id === undefined) return
    void trpcUtils.clip.byId.prefetch({ id })
    void trpcUtils.clip.around.prefetch({ id })
  },
  component: lazyPage(() => import('../watch/clip-page.tsx'), 'ClipPage'),
})

export const clipsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/clips',
  /** `at`: last seen clip, on return. */
  validateSearch: ({ at }): { at?: string } => (typeof at === 'string' ? { at } : {}),
  loader: () => void trpcUtils.clip.newest.prefetchInfinite({}),
  component: lazyPage(() => import('../browse/clips-page.tsx'), 'ClipsPage'),
})

export const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile/$id',
  validateSearch: (search): { tab?: ChannelTab } => {
    const tab = toChannelTab(search.tab)
    return tab === 'videos' ? {} : { tab }
  },
  loader: ({ params, location }) => {
    const id = parseVideoId(params.id)
    if (id === undefined) return
    void trpcUtils.user.get.prefetch({ id })
    const { listByUser } = trpcUtils.video
    const { ofChannel } = trpcUtils.clip
    const { appearances } = trpcUtils.participant
    const { tab }: { tab?: unknown } = location.search
    // Each tab has a list of its own.
    if (tab !== undefined) void listByUser.prefetchInfinite({ id })
    if (tab !== 'clips') void ofChannel.prefetchInfinite({ id })
    if (tab !== 'appearances') void appearances.prefetchInfinite({ id })
    switch (tab) {
      case undefined:
        return loadList(location, listByUser, { id })
      case 'clips':
        return loadList(location, ofChannel, { id })
      case 'appearances':
        return loadList(location, appearances, { id })
      case 'community':
        return loadList(location, trpcUtils.post.list, { id })
    }
  },
  component: lazyPage(() => import('../browse/profile-page.tsx'), 'ProfilePage'),
})

export const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/search',
  validateSearch: (search): SearchAddress => {
    const [category, sort] = [toCategory(search.category), toSort(search.sort)]
    return {
      ...(typeof search.q === 'string' && { q: search.q }),
      ...(category && { category }),
      ...(sort && { sort }),
    }
  },
  loaderDeps: ({ search }) => search,
  loader: ({ deps, location }) => {
    const input = toSearchInput(deps)
    if (!input) return
    const { videos, channels } = trpcUtils.search
    void channels.prefetch({ q: input.q })
    void trpcUtils.clip.search.prefetch({ q: input.q, limit: NEW_CLIPS_SHOWN })
    return loadList(location, videos, input)
  },
  component: lazyPage(() => import('../browse/search-page.tsx'), 'SearchPage'),
})

export const subscriptionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/subscriptions',
  validateSearch: (search): { tab?: FeedTab } =>
    toFeedTab(search.tab) === 'channels' ? { tab: 'channels' } : {},
  loader: async ({ location }) => {
    if (!(await findUser())) return
    await loadList(location, trpcUtils.video.listSubscribed, {})
  },
  component: lazyPage(() => import('../browse/subscriptions-page.tsx'), 'SubscriptionsPage'),
})

export const exploreRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/explore',
  loader: () => {
    void trpcUtils.explore.games.prefetch()
    void trpcUtils.explore.tags.prefetch()
    void trpcUtils.explore.trending.prefetch({})
    void trpcUtils.clip.bestOfWeek.prefetch({ limit: CLIPS_SHOWN })
  },
  component: lazyPage(() => import('../browse/explore-page.tsx'), 'ExplorePage'),
})

export const rulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/rules',
  loader: () => void trpcUtils.site.rules.prefetch(),
  component: lazyPage(() => import('../rules-page.tsx'), 'RulesPage'),
})

export const aboutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/about',
  component: lazyPage(() => import('../about-page.tsx'), 'AboutPage'),
})

export const shareLinkRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/s/$token',
  component: lazyPage(() => import('../watch/share-link-page.tsx'), 'ShareLinkPage'),
})
