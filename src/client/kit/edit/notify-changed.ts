import { fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'

/**
 * Says why a choice that is saved at once was not: somebody else chose another value meanwhile, or what the server says.
 * Whoever calls it reads the value again, so that the control has it, and the choice can be made once more.
 */
export function notifyNotSaved<Value>(
  error: unknown,
  { title, show }: { title: string; show: (theirs: Value) => string },
): void {
  const [conflict] = fieldConflicts(error) ?? []
  const message = conflict
    ? `Somebody else changed it meanwhile: ${show(conflict.theirs as Value)}. Choose again to change that.`
    : serverSentence(error)
  notify({ tone: 'error', title, message })
}
