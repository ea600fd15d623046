import { lazyPart } from '../list/lazy-part.tsx'
import type { EditConflictsProps } from './use-edit-form.ts'

const ConflictPanel = lazyPart(() => import('./conflict-panel.tsx'))

/** The fields of a form that somebody else changed meanwhile, to choose a value for; nothing where there are none. */
export function EditConflicts(props: EditConflictsProps) {
  return props.form.conflicts.length > 0 && <ConflictPanel {...props} />
}
