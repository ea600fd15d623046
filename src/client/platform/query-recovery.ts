import { InfiniteQueryObserver, onlineManager, type QueryClient } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { isConnectionError } from './error-message.ts'

// What TanStack Query takes for being online is that the server can be reached.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(!connection.isLost())),
)

/**
 * A mutation ends with the reading of what it changed. While the connection is lost that is not waited for, or nobody would be
 * told that the mutation failed.
 */
export function endInvalidationsOnLoss(client: QueryClient): void {
  const invalidate = client.invalidateQueries.bind(client)
  client.invalidateQueries = async (filters, options) => {
    const over = new AbortController()
    await Promise.race([invalidate(filters, options), connection.untilLost(over.signal)])
    over.abort()
  }
}

/**
 * Fetches what is shown as failed again when the connection is back: it was given up while the server still answered.
 * Whatever else was under way is kept by `recoveryLink`.
 */
export function recoverQueries(client: QueryClient): void {
  connection.onBack(() => {
    for (const { state, observers } of client.getQueryCache().findAll({ type: 'active' })) {
      const [observer] = observers
      if (!observer || state.status !== 'error' || !isConnectionError(state.error)) continue
      const direction = state.fetchMeta?.fetchMore?.direction
      if (direction === 'forward' && observer instanceof InfiniteQueryObserver) {
        void observer.fetchNextPage()
      } else void observer.refetch()
    }
  })
}
