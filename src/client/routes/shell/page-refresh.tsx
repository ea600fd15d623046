import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { PullToRefresh } from '#client/kit/list/pull-to-refresh.tsx'

/** Pages whose lists grow by themselves. */
const PAGES = ['/', '/explore', '/subscriptions', '/notifications', '/history']
/** Without a connection the answer never comes; the page says so itself. */
const LONGEST_MS = 8000

/** On touch screens: what the page shows is asked for again. */
export default function PageRefresh() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const queries = useQueryClient()
  if (!PAGES.includes(path)) return null
  const refresh = () =>
    Promise.race([
      queries.refetchQueries({ type: 'active' }),
      new Promise((resolve) => setTimeout(resolve, LONGEST_MS)),
    ])
  return <PullToRefresh key={path} onRefresh={refresh} />
}
