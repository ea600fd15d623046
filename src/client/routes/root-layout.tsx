import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { PlainPlayerContext } from '../kit/video/plain-player.tsx'
import { trpc } from '../trpc.ts'
import { SiteLook } from './shell/site-look.tsx'

/** With the watch page: as an entry of its own it would have other pages load parts of the player. */
const PlainPlayer = lazyPart(
  async () => ({ default: (await import('./watch/watch-page.tsx')).PlainPlayer }),
  null,
)

/** Draws no page before it is known who is looking. */
export function RootLayout() {
  const session = trpc.auth.currentUser.useQuery()
  if (session.isPending) return <PageSpinner />
  if (session.data === undefined) {
    return (
      <main className="page-spinner">
        <h1 className="visually-hidden">Clutch</h1>
        <LoadError error={session.error} onRetry={() => void session.refetch()} />
        <GuardAgain />
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

/** The guards let everybody pass while nobody knew who is looking: they are asked again once that is known. */
function GuardAgain() {
  const router = useRouter()
  useEffect(() => () => void router.invalidate(), [router])
  return null
}
