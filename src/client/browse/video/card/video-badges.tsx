import { Badge } from '@mantine/core'
import { StateBadge } from '#client/kit/video/state-badge.tsx'
import { VisibilityBadge } from '#client/kit/visibility/visibility-badge.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { videoStateOf } from '#shared/video-state.ts'

/** False for most: they need no place for them. */
export function hasBadges(video: Video): boolean {
  return (
    video.visibility !== 'public' ||
    (video.isAnonymous && video.channel !== null) ||
    videoStateOf(video) !== 'published'
  )
}

/** What sets a video apart: who may see it, and for its owner and admins what its state is. */
export function VideoBadges({ video }: { video: Video }) {
  return (
    <>
      {video.isAnonymous && video.channel && <Badge variant="scrim">Anonymous</Badge>}
      <StateBadge video={video} />
      <VisibilityBadge visibility={video.visibility} />
    </>
  )
}
