import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { PageSpinner } from './components/spinner.tsx'
import { parseVideoId } from './features/player/video-id.ts'
import { toCategory } from './features/video/category.ts'
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

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: ({ category }): { category?: string } =>
    typeof category === 'string' ? { category } : {},
  beforeLoad: ({ search: { category } }) => {
    if (category !== undefined && !toCategory(category)) throw redirect({ to: '/', replace: true })
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
  getParentRoute: () => shellRoute,
  path: '/studio',
  beforeLoad: async () => {
    await requireMember()
    throw notFound()
  },
})

const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
  component: MantineLayout,
})

const authRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/auth',
  validateSearch: (search): { tab?: 'register' } =>
    search.tab === 'register' ? { tab: 'register' } : {},
  beforeLoad: async () => {
    if (await findUser()) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./routes/auth-page.tsx'), 'AuthPage'),
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
      studioRoute,
      mantineRoute.addChildren([uploadRoute, uploadChunkedRoute]),
    ]),
    bareRoute.addChildren([authRoute]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: CrashPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
