import { useEffect } from 'react'

/** Sets the document's title while the component is there: '{title} · Clutch', or 'Clutch'. */
export function PageTitle({ title }: { title?: string | undefined }) {
  useEffect(() => {
    document.title = title ? `${title} · Clutch` : 'Clutch'
  }, [title])
  return null
}
