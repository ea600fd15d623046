import { InfiniteQueryObserver, onlineManager, type QueryClient } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { isConnectionError } from './error-message.ts'

// TanStack Query's 'online' means a reachable server.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(!connection.isLost())),
)

/**
 * Lets `invalidateQueries` resolve during an outage: mutations report errors after `onSettled`,
 * which awaits queries held by `recoveryLink`. TanStack Query itself does this for paused queries
 * only, which need `networkMode: 'online'` and a known outage.
 */
export function endInvalidationsOnLoss(client: QueryClient): void {
  const invalidate = client.invalidateQueries.bind(client)
  client.invalidateQueries = async (filters, options) => {
    const over = new AbortController()
    await Promise.race([invalidate(filters, options), connection.untilLost(over.signal)])
    over.abort()
  }
}

/** Refetches queries that failed while the server answered; `recoveryLink` holds the others. */
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
