import { lazyPart } from '../list/lazy-part.tsx'
import type { EditConflictsProps } from './use-edit-form.ts'

const ConflictPanel = lazyPart(() => import('./conflict-panel.tsx'))

/** Renders nothing without conflicts. */
export function EditConflicts(props: EditConflictsProps) {
  return props.form.conflicts.length > 0 && <ConflictPanel {...props} />
}
