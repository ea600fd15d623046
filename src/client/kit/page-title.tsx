import { useEffect, useSyncExternalStore } from 'react'
import { announcedTitle, setPageTitle, subscribeToTitle } from '../platform/page-arrival.ts'

/** Sets the document's title while the component is there: '{title} · Clutch', or 'Clutch'. */
export function PageTitle({ title }: { title?: string | undefined }) {
  useEffect(() => setPageTitle(title), [title])
  return null
}

/** Announces the new page to screen readers: a change of address in here loads no document. */
export function PageAnnouncer() {
  const title = useSyncExternalStore(subscribeToTitle, announcedTitle)
  return (
    <p className="visually-hidden" role="status">
      {title}
    </p>
  )
}
