import { TRPCClientError, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { connection } from './connection.ts'
import { isConnectionError } from './error-message.ts'

/** A shorter outage goes unnoticed. */
const RETRY_MS = 1000

/**
 * Holds queries during an outage and resends them; components see them loading. Otherwise retries a
 * query once. Never retries mutations or subscriptions.
 */
export function recoveryLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) => {
      if (op.type !== 'query') return next(op)
      return observable((observer) => {
        const over = new AbortController()
        const { signal } = over
        let isRetried = false

        async function waitToRetry(): Promise<boolean> {
          await connection.doubt()
          if (connection.isLost()) await connection.untilBack(signal)
          else if (isRetried) return false
          else {
            isRetried = true
            await connection.pause(RETRY_MS, signal)
          }
          return true
        }
        const send = () =>
          next(op).subscribe({
            next: observer.next,
            complete: observer.complete,
            error(error) {
              if (op.signal?.aborted || !isConnectionError(error)) observer.error(error)
              else {
                waitToRetry().then(
                  (isDue) => {
                    if (isDue) current = send()
                    else observer.error(error)
                  },
                  (reason) => observer.error(TRPCClientError.from(reason)),
                )
              }
            },
          })
        let current = send()
        return () => {
          over.abort()
          current.unsubscribe()
        }
      })
    }
}
