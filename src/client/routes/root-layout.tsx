import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { trpc } from '../trpc.ts'
import { SiteLook } from './shell/site-look.tsx'

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
    <>
      <SiteLook />
      <Outlet />
    </>
  )
}

/** The guards let everybody pass while nobody knew who is looking: they are asked again once that is known. */
function GuardAgain() {
  const router = useRouter()
  useEffect(() => () => void router.invalidate(), [router])
  return null
}
