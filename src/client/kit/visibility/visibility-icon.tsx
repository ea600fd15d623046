import { IconLink, IconLock, IconUsers, IconWorld } from '@tabler/icons-react'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'

const ICONS = { public: IconWorld, members: IconUsers, unlisted: IconLink, private: IconLock }

type VisibilityIconProps = { visibility: Visibility; size: number }

export function VisibilityIcon({ visibility, size }: VisibilityIconProps) {
  const Icon = ICONS[visibility]
  return <Icon size={size} stroke={1.75} aria-hidden />
}
