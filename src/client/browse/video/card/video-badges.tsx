import { Badge } from '@mantine/core'
import { StateBadge } from '#client/kit/video/state-badge.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { videoStateOf } from '#shared/video-state.ts'

/** False for most: they need no place for them. */
export function hasBadges(video: Video): boolean {
  return (video.isAnonymous && video.channel !== null) || videoStateOf(video) !== 'published'
}

/** What sets a video apart for its owner and admins; others see only videos without any of it. */
export function VideoBadges({ video }: { video: Video }) {
  return (
    <>
      {video.isAnonymous && video.channel && <Badge variant="scrim">Anonymous</Badge>}
      <StateBadge video={video} />
    </>
  )
}
