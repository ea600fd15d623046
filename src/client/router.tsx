import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { CATEGORIES } from '#shared/limits.ts'
import { PageSpinner } from './components/spinner.tsx'
import { toAdminSearch } from './features/admin/use-address.ts'
import { type ChannelTab, toChannelTab } from './features/channel/channel-tab.ts'
import { type FeedTab, toFeedTab } from './features/feed/feed-tab.ts'
import { SHELF_VIDEOS } from './features/library/shelf-size.ts'
import { parseVideoId } from './features/player/video-id.ts'
import { type SearchAddress, toSearchInput, toSort } from './features/search/search-address.ts'
import { toStudioAddress, toStudioInput } from './features/studio/studio-address.ts'
import { toCategory } from './features/video/category.ts'
import { dropServedTags } from './lib/served-tags.ts'
import { CrashPage } from './routes/crash-page.tsx'
import { NotFoundPage } from './routes/not-found-page.tsx'
import { RootLayout } from './routes/root-layout.tsx'
import { AppShell, ShellLayout } from './shell/app-shell.tsx'
import { trpcUtils } from './trpc.ts'

const rootRoute = createRootRoute({
  component: RootLayout,
  notFoundComponent: () => (
    <AppShell>
      <NotFoundPage />
    </AppShell>
  ),
  // Not awaited: the page's own data travel in the same request.
  loader: () => void trpcUtils.auth.currentUser.prefetch(),
})

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: ShellLayout,
  notFoundComponent: NotFoundPage,
})

/** The session's user; undefined when the server cannot say, which the root layout tells. */
const findUser = () => trpcUtils.auth.currentUser.ensureData().catch(() => undefined)

async function requireMember() {
  if ((await findUser()) === null) throw redirect({ to: '/auth' })
}

/** The eight are known here; whether an admin added another, the server says. */
async function siteHasCategory(name: string): Promise<boolean> {
  if (CATEGORIES.some((category) => category === name)) return true
  const site = await trpcUtils.site.settings.ensureData().catch(() => undefined)
  return site?.categories.includes(name) ?? false
}

const homeRoute = createRoute({
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
  loader: ({ deps }) => void trpcUtils.video.list.prefetchInfinite(deps),
  component: lazyRouteComponent(() => import('./routes/home-page.tsx'), 'HomePage'),
})

const MantineLayout = lazyRouteComponent(
  () => import('./routes/mantine-layout.tsx'),
  'MantineLayout',
)

const mantineRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'mantine',
  component: MantineLayout,
})

const watchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/video/$id',
  loader: ({ params }) => {
    const id = parseVideoId(params.id)
    if (id !== undefined) void trpcUtils.video.get.prefetch({ id })
  },
  component: lazyRouteComponent(() => import('./routes/watch-page.tsx'), 'WatchPage'),
})

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile/$id',
  validateSearch: (search): { tab?: ChannelTab } => {
    const tab = toChannelTab(search.tab)
    return tab === 'videos' ? {} : { tab }
  },
  loader: ({ params }) => {
    const id = parseVideoId(params.id)
    if (id === undefined) return
    void trpcUtils.user.get.prefetch({ id })
    void trpcUtils.video.listByUser.prefetchInfinite({ id })
  },
  component: lazyRouteComponent(() => import('./routes/profile-page.tsx'), 'ProfilePage'),
})

const searchRoute = createRoute({
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
  loader: ({ deps }) => {
    const input = toSearchInput(deps)
    if (input) void trpcUtils.search.videos.prefetchInfinite(input)
  },
  component: lazyRouteComponent(() => import('./routes/search-page.tsx'), 'SearchPage'),
})

const subscriptionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/subscriptions',
  validateSearch: (search): { tab?: FeedTab } =>
    toFeedTab(search.tab) === 'channels' ? { tab: 'channels' } : {},
  component: lazyRouteComponent(
    () => import('./routes/subscriptions-page.tsx'),
    'SubscriptionsPage',
  ),
})

const UploadPage = lazyRouteComponent(() => import('./routes/upload-page.tsx'), 'UploadPage')

const uploadRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/upload',
  beforeLoad: requireMember,
  component: UploadPage,
})

const uploadChunkedRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/upload-chunked',
  beforeLoad: requireMember,
  component: UploadPage,
})

const studioRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/studio',
  validateSearch: toStudioAddress,
  beforeLoad: requireMember,
  loaderDeps: ({ search: { state, sort, q } }) => ({ state, sort, q }),
  loader: async ({ deps }) => {
    const user = await findUser()
    if (user) void trpcUtils.video.listByUser.prefetchInfinite(toStudioInput(user.id, deps))
  },
  component: lazyRouteComponent(() => import('./routes/studio-page.tsx'), 'StudioPage'),
})

const exploreRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/explore',
  loader: () => {
    void trpcUtils.explore.games.prefetch()
    void trpcUtils.explore.tags.prefetch()
    void trpcUtils.explore.trending.prefetch({})
  },
  component: lazyRouteComponent(() => import('./routes/explore-page.tsx'), 'ExplorePage'),
})

const historyRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/history',
  validateSearch: ({ q }): { q?: string } => (typeof q === 'string' && q ? { q } : {}),
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: async ({ deps }) => {
    if (await findUser()) void trpcUtils.history.list.prefetchInfinite(deps)
  },
  component: lazyRouteComponent(() => import('./routes/history-page.tsx'), 'HistoryPage'),
})

const libraryRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/library',
  loader: async () => {
    if (!(await findUser())) return
    void trpcUtils.history.list.prefetch({ limit: SHELF_VIDEOS })
    void trpcUtils.playlist.watchLater.prefetch()
    void trpcUtils.video.listLiked.prefetch({ limit: SHELF_VIDEOS })
    void trpcUtils.playlist.listOwn.prefetch({})
  },
  component: lazyRouteComponent(() => import('./routes/library-page.tsx'), 'LibraryPage'),
})

const playlistRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/playlist/$id',
  loader: ({ params }) => {
    const id = parseVideoId(params.id)
    if (id !== undefined) void trpcUtils.playlist.get.prefetch({ id })
  },
  component: lazyRouteComponent(() => import('./routes/playlist-page.tsx'), 'PlaylistPage'),
})

const settingsRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/settings',
  beforeLoad: requireMember,
  component: lazyRouteComponent(() => import('./routes/settings-page.tsx'), 'SettingsPage'),
})

// One page for all of the desk: what is in it is fetched by whom it is for.
const AdminPage = lazyRouteComponent(() => import('./routes/admin/admin-page.tsx'), 'AdminPage')

const adminRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/admin',
  validateSearch: toAdminSearch,
  component: AdminPage,
})

const adminSectionRoute = createRoute({
  getParentRoute: () => mantineRoute,
  path: '/admin/$section',
  validateSearch: toAdminSearch,
  component: AdminPage,
})

const rulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/rules',
  loader: () => void trpcUtils.site.rules.prefetch(),
  component: lazyRouteComponent(() => import('./routes/rules-page.tsx'), 'RulesPage'),
})

const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  component: MantineLayout,
})

const authRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/auth',
  validateSearch: (search): { tab?: 'register'; invite?: string } => ({
    ...(search.tab === 'register' && { tab: 'register' as const }),
    ...(typeof search.invite === 'string' && search.invite && { invite: search.invite }),
  }),
  beforeLoad: async () => {
    if (await findUser()) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./routes/auth-page.tsx'), 'AuthPage'),
})

const resetRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/reset/$token',
  component: lazyRouteComponent(() => import('./routes/reset-page.tsx'), 'ResetPage'),
})

/** Search parameters are plain text: '123' stays '123'. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    shellRoute.addChildren([
      homeRoute,
      watchRoute,
      profileRoute,
      searchRoute,
      subscriptionsRoute,
      exploreRoute,
      mantineRoute.addChildren([
        uploadRoute,
        uploadChunkedRoute,
        studioRoute,
        historyRoute,
        libraryRoute,
        playlistRoute,
        settingsRoute,
        adminRoute,
        adminSectionRoute,
      ]),
      rulesRoute,
    ]),
    bareRoute.addChildren([authRoute, resetRoute]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: CrashPage,
  scrollRestoration: true,
})

router.subscribe('onResolved', ({ toLocation }) => dropServedTags(toLocation.pathname))

/** Fetches the page that most clicks lead to, once the first one is there and nothing else is to be done. */
export function preloadWatchPage(): void {
  const load = () => void router.loadRouteChunk?.(watchRoute)?.catch(() => undefined)
  const stop = router.subscribe('onRendered', () => {
    stop()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 4000 })
    else setTimeout(load, 1000)
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
