import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { row } from '../layout/layout.ts'
import { VisibilityIcon } from './visibility-icon.tsx'

type VisibilityMarkProps = { visibility: Visibility; className?: string | undefined }

export function VisibilityMark({ visibility, className = '' }: VisibilityMarkProps) {
  const { name, text } = VISIBILITY_WORDS[visibility]
  return (
    <span className={`${row(4, 'inline', 'nowrap')} ${className}`} title={text}>
      <VisibilityIcon visibility={visibility} size={14} />
      {name}
    </span>
  )
}
