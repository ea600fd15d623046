import { createRoute, redirect } from '@tanstack/react-router'
import { toNotificationFilter } from '#client/account/notification/notification-filter.ts'
import { SHELF_VIDEOS } from '#client/browse/library/shelf-size.ts'
import { type SquadTab, toSquadTab } from '#client/browse/squad/squad-tab.ts'
import { toStudioAddress, toStudioInput } from '#client/create/studio/list/studio-address.ts'
import { toAdminSearch } from '#client/desk/admin-search.ts'
import { isConnectionError, serverSentence } from '#client/platform/error-message.ts'
import { lazyPage } from '#client/platform/missing-chunk.tsx'
import { loadList } from '#client/platform/place/list-pages.ts'
import { nextPathOf } from '#client/platform/sign-in-link.ts'
import { trpcClient, trpcUtils } from '#client/trpc.ts'
import { parseVideoId } from '#client/watch/player/video-id.ts'
import type { NotificationFilter } from '#shared/notification-kinds.ts'
import { findUser, requireMember } from './guards.ts'
import { askForNotifications } from './page-questions.ts'
import { bareRoute, shellRoute } from './root-routes.tsx'

const UploadPage = lazyPage(() => import('../upload-page.tsx'), 'UploadPage')

export const uploadRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/upload',
  validateSearch: ({ share }): { share?: 'failed' } => (share === 'failed' ? { share } : {}),
  beforeLoad: requireMember,
  component: UploadPage,
})

export const uploadChunkedRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/upload-chunked',
  beforeLoad: requireMember,
  component: UploadPage,
})

export const studioRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/studio',
  validateSearch: toStudioAddress,
  beforeLoad: requireMember,
  loaderDeps: ({ search: { state, sort, q } }) => ({ state, sort, q }),
  loader: async ({ deps, location }) => {
    const user = await findUser()
    if (!user) return
    const { tab }: { tab?: unknown } = location.search
    if (tab === 'clips') return loadList(location, trpcUtils.clip.mine, {})
    void trpcUtils.inbox.state.prefetch()
    await loadList(location, trpcUtils.video.listByUser, toStudioInput(user.id, deps))
  },
  component: lazyPage(() => import('../studio-page.tsx'), 'StudioPage'),
})

export const cutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/studio/cut/$id',
  beforeLoad: requireMember,
  loader: ({ params }) => {
    const videoId = parseVideoId(params.id)
    if (videoId === undefined) return
    void trpcUtils.video.get.prefetch({ id: videoId })
    void trpcUtils.video.playback.prefetch({ id: videoId })
  },
  component: lazyPage(() => import('../cut-page.tsx'), 'CutPage'),
})

export const momentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/studio/moments/$id',
  beforeLoad: requireMember,
  component: lazyPage(() => import('../moments-page.tsx'), 'MomentsPage'),
})

export const historyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/history',
  validateSearch: ({ q }): { q?: string } => (typeof q === 'string' && q ? { q } : {}),
  loaderDeps: ({ search: { q } }) => ({ q }),
  loader: async ({ deps, location }) => {
    if (!(await findUser())) return
    await loadList(location, trpcUtils.history.list, deps)
  },
  component: lazyPage(() => import('../browse/history-page.tsx'), 'HistoryPage'),
})

export const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: ({ show }): { show?: NotificationFilter } => {
    const filter = toNotificationFilter(show)
    return filter === 'all' ? {} : { show: filter }
  },
  beforeLoad: ({ location, search }) => {
    askForNotifications(search.show ?? 'all')
    return requireMember({ location })
  },
  loaderDeps: ({ search: { show } }) => ({ filter: show ?? 'all' }),
  loader: async ({ deps, location }) => {
    if (!(await findUser())) return
    await loadList(location, trpcUtils.notification.browse, deps)
  },
  component: lazyPage(() => import('../notifications-page.tsx'), 'NotificationsPage'),
})

export const libraryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library',
  loader: async () => {
    if (!(await findUser())) return
    void trpcUtils.history.list.prefetch({ limit: SHELF_VIDEOS })
    void trpcUtils.playlist.watchLater.prefetch()
    void trpcUtils.video.listLiked.prefetch({ limit: SHELF_VIDEOS })
    void trpcUtils.playlist.listOwn.prefetch({})
  },
  component: lazyPage(() => import('../browse/library-page.tsx'), 'LibraryPage'),
})

export const squadsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/squads',
  beforeLoad: requireMember,
  loader: () => {
    void trpcUtils.squad.mine.prefetch()
    void trpcUtils.squad.list.prefetchInfinite({})
  },
  component: lazyPage(() => import('../browse/squads-page.tsx'), 'SquadsPage'),
})

export const squadRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/squad/$id',
  validateSearch: (search): { tab?: SquadTab } => {
    const tab = toSquadTab(search.tab)
    return tab === 'new' ? {} : { tab }
  },
  beforeLoad: requireMember,
  loader: async ({ params, location }) => {
    const id = parseVideoId(params.id)
    if (id === undefined) return
    void trpcUtils.squad.get.prefetch({ id })
    void trpcUtils.squad.members.prefetch({ id })
    const { tab }: { tab?: unknown } = location.search
    if (tab === undefined) {
      void trpcUtils.squad.videos.prefetchInfinite({ id })
      void trpcUtils.squad.clips.prefetchInfinite({ id, limit: 24 })
      void trpcUtils.squad.posts.prefetchInfinite({ id, limit: 10 })
    }
    if (tab !== 'videos') return
    void trpcUtils.squad.loved.prefetch({ id })
    return loadList(location, trpcUtils.squad.videos, { id })
  },
  component: lazyPage(() => import('../browse/squad-page.tsx'), 'SquadPage'),
})

export const playlistRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playlist/$id',
  loader: async ({ params, location }) => {
    const id = parseVideoId(params.id)
    if (id !== undefined) return loadList(location, trpcUtils.playlist.get, { id })
    if (!(await findUser())) return
    if (params.id === 'liked') return loadList(location, trpcUtils.video.listLiked, {})
    if (params.id === 'watch-later') return loadList(location, trpcUtils.playlist.watchLater, {})
  },
  component: lazyPage(() => import('../browse/playlist-page.tsx'), 'PlaylistPage'),
})

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  beforeLoad: requireMember,
  // Awaited, because the parts that depend on it would move the page.
  loader: () => trpcUtils.email.state.ensureData().catch(() => undefined),
  component: lazyPage(() => import('../settings-page.tsx'), 'SettingsPage'),
})

// One page whose parts are loaded for admins only.
const AdminPage = lazyPage(() => import('../admin/admin-page.tsx'), 'AdminPage')

export const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin',
  validateSearch: toAdminSearch,
  component: AdminPage,
})

export const adminSectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/admin/$section',
  validateSearch: toAdminSearch,
  component: AdminPage,
})

type AuthSearch = {
  tab?: 'register'
  /** Older invite links have the code here. */
  invite?: string
  setup?: string
  /** Shown after sign-in. */
  next?: string | undefined
}

/** `#invite=CODE`; browsers do not send fragments. */
function inviteOfHash(hash: string): string | undefined {
  return new URLSearchParams(hash).get('invite') || undefined
}

export const authRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/auth',
  validateSearch: (search): AuthSearch => ({
    ...(search.tab === 'register' && { tab: 'register' as const }),
    ...(typeof search.invite === 'string' && search.invite && { invite: search.invite }),
    ...(typeof search.setup === 'string' && search.setup && { setup: search.setup }),
    // Overrides the raw value of the address, even if undefined.
    next: nextPathOf(search.next),
  }),
  beforeLoad: async ({ search, location }) => {
    if (await findUser()) {
      if (search.next) throw redirect({ href: search.next })
      throw redirect({ to: '/' })
    }
    const { setup: setupCode, invite: queryCode, ...rest } = search
    const inviteCode = inviteOfHash(location.hash) ?? queryCode
    if (setupCode === undefined && inviteCode === undefined) return
    // Moves the code from the address, which may be copied, to the history entry.
    throw redirect({
      to: '/auth',
      search: { ...rest, tab: 'register' },
      state: { ...(setupCode && { setupCode }), ...(inviteCode && { inviteCode }) },
      replace: true,
    })
  },
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  loader: async ({ deps: { tab }, location: { state } }) => {
    await trpcUtils.signIn.ways.ensureData().catch(() => undefined)
    if (tab !== 'register') return undefined
    // Without an answer the form is shown, and the server decides on submit.
    return trpcClient.auth.registration.mutate({ invite: state.inviteCode }).catch(() => undefined)
  },
  component: lazyPage(() => import('../auth-page.tsx'), 'AuthPage'),
})

export const resetRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/reset',
  // The token is in the fragment, which browsers do not send.
  loader: async ({ location: { hash: token } }) => {
    try {
      const { username } = await trpcClient.auth.passwordReset.mutate({ token })
      return { token, username }
    } catch (error) {
      if (isConnectionError(error)) throw error
      return {
        problem: serverSentence(error) || 'This link could not be checked. Please try again.',
      }
    }
  },
  component: lazyPage(() => import('../reset-page.tsx'), 'ResetPage'),
})

export const linkRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/link',
  beforeLoad: requireMember,
  component: lazyPage(() => import('../link-page.tsx'), 'LinkPage'),
})

export const verifyRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/verify',
  component: lazyPage(() => import('../verify-page.tsx'), 'VerifyPage'),
})

export const unsubscribeRoute = createRoute({
  getParentRoute: () => bareRoute,
  path: '/unsubscribe',
  component: lazyPage(() => import('../unsubscribe-page.tsx'), 'UnsubscribePage'),
})
