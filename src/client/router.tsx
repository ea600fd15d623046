import { createRouter } from '@tanstack/react-router'
import { PageSpinner } from './kit/spinner.tsx'
import { isSparing } from './platform/data-saving.ts'
import { forgetTyping } from './platform/harmless-reload.ts'
import { dropServedTags } from './platform/video/served-tags.ts'
import { whenIdle, whenLoaded } from './platform/when-idle.ts'
import { CrashPage } from './routes/crash-page.tsx'
import {
  adminRoute,
  adminSectionRoute,
  authRoute,
  cutRoute,
  historyRoute,
  libraryRoute,
  linkRoute,
  momentsRoute,
  notificationsRoute,
  playlistRoute,
  resetRoute,
  settingsRoute,
  squadRoute,
  squadsRoute,
  studioRoute,
  unsubscribeRoute,
  uploadChunkedRoute,
  uploadRoute,
  verifyRoute,
} from './routes/tree/member-routes.ts'
import {
  aboutRoute,
  clipRoute,
  clipsRoute,
  exploreRoute,
  homeRoute,
  profileRoute,
  roomRoute,
  rulesRoute,
  searchRoute,
  shareLinkRoute,
  squadViewRoute,
  subscriptionsRoute,
  watchRoute,
} from './routes/tree/public-routes.ts'
import { bareRoute, rootRoute, shellRoute } from './routes/tree/root-routes.tsx'

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
      clipRoute,
      clipsRoute,
      watchRoute,
      roomRoute,
      squadViewRoute,
      profileRoute,
      searchRoute,
      subscriptionsRoute,
      exploreRoute,
      uploadRoute,
      uploadChunkedRoute,
      studioRoute,
      cutRoute,
      momentsRoute,
      historyRoute,
      notificationsRoute,
      libraryRoute,
      playlistRoute,
      squadsRoute,
      squadRoute,
      settingsRoute,
      adminRoute,
      adminSectionRoute,
      aboutRoute,
      rulesRoute,
    ]),
    bareRoute.addChildren([
      authRoute,
      linkRoute,
      resetRoute,
      shareLinkRoute,
      unsubscribeRoute,
      verifyRoute,
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSpinner,
  defaultErrorComponent: CrashPage,
  scrollRestoration: true,
})

router.subscribe('onResolved', ({ toLocation, pathChanged }) => {
  dropServedTags(toLocation.pathname)
  if (pathChanged) forgetTyping()
})

/** After the first page and its pictures, when the browser is idle; not on slow connections. */
export function preloadWhenIdle(load: () => void): void {
  const stop = router.subscribe('onRendered', async () => {
    stop()
    await whenLoaded()
    await whenIdle()
    if (!isSparing()) load()
  })
}

export function preloadWatchPage(): void {
  void router.loadRouteChunk?.(watchRoute)?.catch(() => undefined)
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** Registration code of the first admin. */
    setupCode?: string
    /** From an invite link. */
    inviteCode?: string
  }
}
