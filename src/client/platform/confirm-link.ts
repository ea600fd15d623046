import type { TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { askPassword } from './password-question.ts'

/** Asks for the password where the server requires it, then repeats the call. */
export function confirmLink<Router extends AnyTRPCRouter>(): TRPCLink<Router> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = (mayAsk: boolean) =>
          next(op).subscribe({
            next: observer.next,
            complete: observer.complete,
            async error(error) {
              const data: { needsPassword?: boolean } | null | undefined = error.data
              if (mayAsk && data?.needsPassword && (await askPassword())) current = send(false)
              else observer.error(error)
            },
          })
        let current = send(true)
        return () => current.unsubscribe()
      })
}
