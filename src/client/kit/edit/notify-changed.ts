import { fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'

/**
 * For choices saved at once: reports another's value or the server's sentence. The caller
 * refetches, so that the user can choose again.
 */
export function notifyNotSaved<Value>(
  error: unknown,
  { title, show }: { title: string; show: (theirs: Value) => string },
): void {
  const [conflict] = fieldConflicts(error) ?? []
  const message = conflict
    ? `Someone else changed it in the meantime: ${show(conflict.theirs as Value)}. Choose again to change that.`
    : serverSentence(error)
  notify({ tone: 'error', title, message })
}
