import { Badge } from '@mantine/core'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { VisibilityIcon } from './visibility-icon.tsx'

/** Renders nothing for public videos. */
export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  if (visibility === 'public') return null
  const { name, text } = VISIBILITY_WORDS[visibility]
  return (
    <Badge
      variant="scrim"
      title={text}
      leftSection={<VisibilityIcon visibility={visibility} size={12} />}
    >
      {name}
    </Badge>
  )
}
