import { lazyPart } from '../list/lazy-part.tsx'
import type { EditForm } from './use-edit-form.ts'

const ConflictPanel = lazyPart(() => import('./conflict-panel.tsx'))

export type EditConflictsProps = {
  form: EditForm
  /** Sends what is left to be changed; the form around it is submitted unless given. */
  onSend?: () => void
}

/** The fields of a form that somebody else changed meanwhile, to choose a value for; nothing where there are none. */
export function EditConflicts(props: EditConflictsProps) {
  return props.form.conflicts.length > 0 && <ConflictPanel {...props} />
}
