import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { PullToRefresh } from '#client/kit/list/pull-to-refresh.tsx'

/** Matches pages of lists. The watch page and forms use a pull for something else. */
const PAGES =
  /^\/(explore|subscriptions|notifications|history|library|search|squads|studio|(profile|squad|playlist)\/[^/]+)?$/
/**
 * The sign disappears after this time, because no response may come without a connection. The page
 * reports that itself.
 */
const LONGEST_MS = 8000

/** Loads the data of the page again when a finger pulls it down. */
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
