import { createRootRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '#client/platform/missing-chunk.tsx'
import { trpcUtils } from '#client/trpc.ts'
import { RootLayout } from '../root-layout.tsx'
import { AppShell, isWatching, ShellLayout } from '../shell/app-shell.tsx'
import { askForShell } from './page-questions.ts'

const NotFoundPage = lazyPage(() => import('../not-found-page.tsx'), 'NotFoundPage')

function NotFoundInShell() {
  return (
    <AppShell>
      <NotFoundPage />
    </AppShell>
  )
}

export const rootRoute = createRootRoute({
  component: RootLayout,
  notFoundComponent: Object.assign(NotFoundInShell, { preload: () => NotFoundPage.preload?.() }),
  // Not awaited: the page's data is in the same batch.
  loader: () => void trpcUtils.auth.currentUser.prefetch(),
})

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: ShellLayout,
  notFoundComponent: NotFoundPage,
  loader: ({ location }) => askForShell({ hasSidebar: !isWatching(location) }),
})

export const bareRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'bare',
})
