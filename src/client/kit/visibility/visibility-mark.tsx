import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { levelWords } from '#shared/text/visibility-words.ts'
import { row } from '../layout/layout.ts'
import { VisibilityIcon } from './visibility-icon.tsx'

type VisibilityMarkProps = {
  visibility: Visibility
  squad?: { name: string } | null
  className?: string | undefined
}

export function VisibilityMark({ visibility, squad = null, className = '' }: VisibilityMarkProps) {
  const { name, text } = levelWords(visibility, squad)
  return (
    <span className={`${row(4, 'inline', 'nowrap')} ${className}`} title={text}>
      <VisibilityIcon visibility={squad ? 'squad' : visibility} size={14} />
      {name}
    </span>
  )
}
