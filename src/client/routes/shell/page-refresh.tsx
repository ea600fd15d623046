import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { PullToRefresh } from '#client/kit/list/pull-to-refresh.tsx'

/** Pages of lists. The watch page and forms have their own use for a pull. */
const PAGES =
  /^\/(explore|subscriptions|notifications|history|library|search|squads|(profile|squad|playlist)\/[^/]+)?$/
/** Without a connection there is no answer; the page shows that itself. */
const LONGEST_MS = 8000

/** On touch screens a pull loads what the page shows again. */
export default function PageRefresh() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const queries = useQueryClient()
  if (!PAGES.test(path)) return null
  const refresh = () =>
    Promise.race([
      queries.refetchQueries({ type: 'active' }),
      new Promise((resolve) => setTimeout(resolve, LONGEST_MS)),
    ])
  return <PullToRefresh key={path} onRefresh={refresh} />
}
