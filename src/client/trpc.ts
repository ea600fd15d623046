import { QueryClient } from '@tanstack/react-query'
import { httpSubscriptionLink, splitLink } from '@trpc/client'
import { httpBatchLink } from '@trpc/client/links/httpBatchLink'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '#server/app-router.ts'
import { MAX_BATCH_CALLS } from '#shared/limits.ts'
import { confirmLink } from './platform/confirm-link.ts'
import { fetchJson } from './platform/error-message.ts'
import { endInvalidationsOnLoss, recoverQueries } from './platform/query-recovery.ts'
import { recoveryLink } from './platform/recovery-link.ts'

const FRESH_MS = 5 * 60 * 1000

export const trpc = createTRPCReact<AppRouter>()

export const trpcClient = trpc.createClient({
  links: [
    confirmLink(),
    recoveryLink(),
    splitLink({
      condition: ({ type }) => type === 'subscription',
      // `LiveEvents` reconnects a failed subscription.
      true: httpSubscriptionLink({ url: '/trpc' }),
      false: httpBatchLink({
        url: '/trpc',
        fetch: fetchJson,
        maxItems: MAX_BATCH_CALLS,
        maxURLLength: 4000,
      }),
    }),
  ],
})

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      // The default is false with `networkMode: 'always'`.
      refetchOnReconnect: true,
      // `recoveryLink` waits for the connection.
      retry: false,
      networkMode: 'always',
    },
    // Fails at once, as only the user knows whether to retry.
    mutations: { retry: false, networkMode: 'always' },
  },
})

recoverQueries(queryClient)
endInvalidationsOnLoss(queryClient)

/** For route loaders and guards. */
export const trpcUtils = createTRPCQueryUtils({ queryClient, client: trpcClient })
