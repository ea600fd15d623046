import { serverSentence } from './error-message.ts'
import { notify } from './notify.tsx'

/** For `onSuccess`: shows a toast and refetches. The mutation stays pending until the data has arrived. */
export const notifyDone =
  (title: string, refetch?: () => Promise<unknown>) => async (): Promise<void> => {
    notify({ title })
    await refetch?.()
  }

/** For `onError`: shows the server's sentence. */
export const notifyFailure =
  (title: string) =>
  (error: unknown): void => {
    notify({ tone: 'error', title, message: serverSentence(error) })
  }
