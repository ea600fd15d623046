import { notify } from '../platform/notify.tsx'
import { notifyFailure } from '../platform/notify-outcome.ts'
import { trpc } from '../trpc.ts'

type Words<Result> = {
  /** Title of the toast on success. */
  done?: string | ((result: Result) => string)
  /** Title of the toast on failure; a dialog shows the sentence itself. */
  failed?: string
}

/**
 * Options of mutations: toasts, and refetching of the named routers, until which a mutation stays
 * pending.
 */
export function useDeskAction(...changed: Router[]) {
  const utils = trpc.useUtils()
  return <Result>({ done, failed }: Words<Result>) => ({
    onSuccess: async (result: Result) => {
      if (done) notify({ title: typeof done === 'string' ? done : done(result) })
      await Promise.all(changed.map((name) => utils[name].invalidate()))
    },
    ...(failed && { onError: notifyFailure(failed) }),
  })
}

type Utils = ReturnType<typeof trpc.useUtils>
type Router = {
  [Name in keyof Utils]-?: Utils[Name] extends { invalidate: () => Promise<void> } ? Name : never
}[keyof Utils]
