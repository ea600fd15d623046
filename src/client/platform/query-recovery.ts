import { InfiniteQueryObserver, onlineManager, type QueryClient } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { isConnectionError } from './error-message.ts'

// To TanStack Query, online means that the server can be reached.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(!connection.isLost())),
)

/**
 * Makes `invalidateQueries` resolve when the connection is lost. A failed mutation reports its error only after its
 * `onSettled`, which awaits the invalidated queries, and `recoveryLink` holds these. TanStack Query does this by itself only
 * for queries that it has paused, which needs `networkMode: 'online'` and an outage that was known before.
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
 * Refetches failed queries when the connection is back. They failed while the server still answered; `recoveryLink` holds
 * the others.
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
