import { createTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '#server/app-router.ts'

/** The typed hooks over every procedure of the server. */
export const trpc = createTRPCReact<AppRouter>()
