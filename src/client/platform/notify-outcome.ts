import { serverSentence } from './error-message.ts'
import { notify } from './notify.tsx'

/**
 * For `onSuccess` of a mutation: a toast, and what it changed is fetched again. The mutation is pending until that is
 * there.
 */
export const notifyDone =
  (title: string, refetch?: () => Promise<unknown>) => async (): Promise<void> => {
    notify({ title })
    await refetch?.()
  }

/** For `onError` of a mutation: a toast with the server's sentence. */
export const notifyFailure =
  (title: string) =>
  (error: unknown): void =>
    notify({ tone: 'error', title, message: serverSentence(error) })
