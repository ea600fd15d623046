import { Badge } from '@mantine/core'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { levelWords } from '#shared/text/visibility-words.ts'
import { look } from '../layout/layout.ts'
import { VisibilityIcon } from './visibility-icon.tsx'

type VisibilityBadgeProps = {
  visibility: Visibility
  squad: { name: string } | null
  /** Shows the icon alone, on pictures that have no room for the name. */
  isShort?: boolean | undefined
}

/** Renders nothing for public videos. */
export function VisibilityBadge({ visibility, squad, isShort }: VisibilityBadgeProps) {
  if (visibility === 'public') return null
  const { name, text } = levelWords(visibility, squad)
  const icon = <VisibilityIcon visibility={squad ? 'squad' : visibility} size={12} />
  if (isShort) {
    return (
      <Badge variant="scrim" title={`${name}: ${text}`}>
        <span className={look('centred')}>{icon}</span>
        <span className="visually-hidden">{name}</span>
      </Badge>
    )
  }
  return (
    <Badge variant="scrim" title={text} leftSection={icon}>
      {name}
    </Badge>
  )
}
