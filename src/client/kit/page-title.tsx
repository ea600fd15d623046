import { useEffect, useSyncExternalStore } from 'react'
import { announcedTitle, setPageTitle, subscribeToTitle } from '../platform/page-arrival.ts'

/** '{title} · Clutch', or 'Clutch'. */
export function PageTitle({ title }: { title?: string | undefined }) {
  useEffect(() => setPageTitle(title), [title])
  return null
}

/** In-app navigation loads no document, so it is announced here. */
export function PageAnnouncer() {
  const title = useSyncExternalStore(subscribeToTitle, announcedTitle)
  return (
    <p className="visually-hidden" role="status">
      {title}
    </p>
  )
}
