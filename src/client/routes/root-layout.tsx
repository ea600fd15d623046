import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { PlainPlayerContext } from '../kit/video/plain-player.tsx'
import { trpc } from '../trpc.ts'
import { SiteLook } from './shell/site-look.tsx'

/** In the chunk of the watch page: a separate one would make other pages load parts of the player. */
const PlainPlayer = lazyPart(
  async () => ({ default: (await import('./watch/watch-page.tsx')).PlainPlayer }),
  null,
)

/** Renders no page before the session is known. */
export function RootLayout() {
  const session = trpc.auth.currentUser.useQuery()
  if (session.isPending) return <PageSpinner />
  if (session.data === undefined) {
    return (
      <main className="page-spinner">
        <h1 className="visually-hidden">Clutch</h1>
        <LoadError error={session.error} onRetry={() => void session.refetch()} />
        <RerunGuards />
      </main>
    )
  }
  return (
    <PlainPlayerContext value={PlainPlayer}>
      <SiteLook />
      <Outlet />
    </PlainPlayerContext>
  )
}

/** Guards pass until the session is known, then run again. */
function RerunGuards() {
  const router = useRouter()
  useEffect(() => () => void router.invalidate(), [router])
  return null
}
