import { QueryClient } from '@tanstack/react-query'
import { httpSubscriptionLink, retryLink, splitLink } from '@trpc/client'
import { httpBatchLink } from '@trpc/client/links/httpBatchLink'
import { createTRPCQueryUtils, createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '#server/app-router.ts'
import { MAX_BATCH_CALLS } from '#shared/limits.ts'
import { confirmLink } from './platform/confirm-link.ts'
import { fetchJson } from './platform/error-message.ts'

/** Where the browser gives up a line, as on a proxy's 502 while the server restarts. */
const RECONNECT_MS = 15_000
const FRESH_MS = 5 * 60 * 1000

/** The typed hooks over every procedure of the server. */
export const trpc = createTRPCReact<AppRouter>()

export const trpcClient = trpc.createClient({
  links: [
    confirmLink(),
    splitLink({
      condition: ({ type }) => type === 'subscription',
      true: [
        // What a procedure refuses is final.
        retryLink({ retry: ({ error }) => !error.data, retryDelayMs: () => RECONNECT_MS }),
        httpSubscriptionLink({ url: '/trpc' }),
      ],
      false: httpBatchLink({
        url: '/trpc',
        fetch: fetchJson,
        maxItems: MAX_BATCH_CALLS,
        maxURLLength: 4000,
      }),
    }),
  ],
})

// networkMode 'always': a browser that believes itself offline shall say so at once, not wait.
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      retry: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The same cache outside of components: for route loaders and guards. */
export const trpcUtils = createTRPCQueryUtils({ queryClient, client: trpcClient })
