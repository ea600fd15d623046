import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useSession } from '#client/account/auth/use-session.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { claimForMember } from '#client/platform/forget-member.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { useSite } from '#client/platform/use-site.ts'
import { whenIdle } from '#client/platform/when-idle.ts'
import { PlayerHost } from '#client/watch/player/host/player-host.tsx'
import { AdminRequest } from './admin-request.tsx'
import classes from './app-shell.module.css'
import { Header } from './header/header.tsx'
import { UploadSlot } from './header/upload-slot.tsx'
import { Sidebar } from './sidebar/sidebar.tsx'
import { TabBar } from './sidebar/tab-bar.tsx'

/** Lazy, as buttons have accessible names without it. */
const IconTooltip = lazyPart(
  async () => {
    await whenIdle()
    return import('#client/kit/control/icon-tooltip.tsx')
  },
  null,
  null,
)
/** Without it pages still refetch, so a failure is not reported. */
const LiveEvents = lazyPart(
  async () => {
    await whenIdle()
    return import('./live-events.tsx')
  },
  null,
  null,
)
const PageRefresh = lazyPart(
  async () => {
    await whenIdle()
    return import('./page-refresh.tsx')
  },
  null,
  null,
)
const CONTENT_ID = 'content'

export const isWatching = ({ pathname }: { pathname: string }) => /^\/(video|clip)\//.test(pathname)

/** On the watch page the sidebar is a drawer. */
export function AppShell({ children }: { children: ReactNode }) {
  const user = useSession()
  const userId = user?.id
  // Before member components read stored state.
  useLayoutEffect(() => {
    if (userId !== undefined) claimForMember(userId)
  }, [userId])
  const hasKeys = useHasKeys()
  const hasDrawer = useLocation({ select: isWatching })
  return (
    <div className={classes.shell} data-page={hasDrawer ? 'watch' : undefined}>
      <a className={`visually-hidden ${classes.skipLink}`} href={`#${CONTENT_ID}`}>
        Skip to content
      </a>
      <Header isWatching={hasDrawer} />
      {!hasDrawer && (
        <div className={classes.sidebar}>
          <Sidebar />
        </div>
      )}
      <PlayerHost />
      <main id={CONTENT_ID} className={classes.content} tabIndex={-1}>
        {children}
      </main>
      <TabBar />
      {hasKeys ? <IconTooltip /> : <PageRefresh />}
      {userId !== undefined && <LiveEvents userId={userId} />}
      <UploadSlot userId={userId} />
    </div>
  )
}

function LogInFirst() {
  // The address before navigation.
  const [signIn] = useState(useSignInLink())
  return <Navigate {...signIn} replace />
}

export function ShellLayout() {
  const user = useSession()
  const audience = useSite()?.audience
  if (!user && audience === 'members') return <LogInFirst />
  return (
    <AppShell>
      <Outlet />
      <AdminRequest />
    </AppShell>
  )
}
