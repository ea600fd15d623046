import { Badge } from '@mantine/core'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { levelWords } from '#shared/text/visibility-words.ts'
import { VisibilityIcon } from './visibility-icon.tsx'

type VisibilityBadgeProps = { visibility: Visibility; squad: { name: string } | null }

/** Renders nothing for public videos. */
export function VisibilityBadge({ visibility, squad }: VisibilityBadgeProps) {
  if (visibility === 'public') return null
  const { name, text } = levelWords(visibility, squad)
  return (
    <Badge
      variant="scrim"
      title={text}
      leftSection={<VisibilityIcon visibility={squad ? 'squad' : visibility} size={12} />}
    >
      {name}
    </Badge>
  )
}
