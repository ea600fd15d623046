import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { VisibilityIcon } from './visibility-icon.tsx'
import classes from './visibility-mark.module.css'

type VisibilityMarkProps = { visibility: Visibility; className?: string | undefined }

export function VisibilityMark({ visibility, className = '' }: VisibilityMarkProps) {
  const { name, text } = VISIBILITY_WORDS[visibility]
  return (
    <span className={`${classes.mark} ${className}`} title={text}>
      <VisibilityIcon visibility={visibility} size={14} />
      {name}
    </span>
  )
}
