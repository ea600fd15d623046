import { IconLink, IconLock, IconShield, IconUsers, IconWorld } from '@tabler/icons-react'
import type { VideoLevel } from '#shared/schemas/visibility.schemas.ts'

const ICONS = {
  public: IconWorld,
  members: IconUsers,
  unlisted: IconLink,
  private: IconLock,
  squad: IconShield,
}

type VisibilityIconProps = { visibility: VideoLevel; size: number }

export function VisibilityIcon({ visibility, size }: VisibilityIconProps) {
  const Icon = ICONS[visibility]
  return <Icon size={size} stroke={1.75} aria-hidden />
}
