import type { TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { askPassword } from './password-question.ts'

/** Where the server wants the password first: asks for it, then asks the server the same again. */
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
