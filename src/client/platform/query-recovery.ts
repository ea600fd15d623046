import { InfiniteQueryObserver, onlineManager, type Query, QueryCache } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { isConnectionError } from './error-message.ts'

/** Pauses before a query is fetched again that failed although the server answers; they double. */
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 60_000

// What TanStack Query takes for being online is that the server can be reached.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(!connection.isLost())),
)

type AnyQuery = Query<unknown, unknown, unknown>

/** The cache of queries, which fetches those again that failed for want of a connection while the server answered. */
export function createRecoveringCache(): QueryCache {
  const failures = new WeakMap<AnyQuery, number>()

  async function recover(query: AnyQuery): Promise<void> {
    const count = failures.get(query) ?? 0
    failures.set(query, count + 1)
    await connection.pause(Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_PAUSE_MS))
    const { status, fetchStatus, fetchMeta } = query.state
    const [observer] = query.observers
    if (!observer || !query.isActive() || status !== 'error' || fetchStatus !== 'idle') return
    const direction = fetchMeta?.fetchMore?.direction
    if (direction && observer instanceof InfiniteQueryObserver) {
      await (direction === 'forward' ? observer.fetchNextPage() : observer.fetchPreviousPage())
    } else await observer.refetch()
  }

  return new QueryCache({
    onError: (error, query) => {
      if (isConnectionError(error)) void recover(query as AnyQuery)
    },
    onSuccess: (_, query) => void failures.delete(query as AnyQuery),
  })
}
