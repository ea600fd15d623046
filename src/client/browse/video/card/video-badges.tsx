import { Badge } from '@mantine/core'
import { StateBadge } from '#client/kit/video/state-badge.tsx'
import { VisibilityBadge } from '#client/kit/visibility/visibility-badge.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { videoStateOf } from '#shared/video-state.ts'

/** Most videos need no room for badges. */
export function hasBadges(video: Video): boolean {
  return (
    video.visibility !== 'public' ||
    (video.isAnonymous && video.channel !== null) ||
    videoStateOf(video) !== 'published'
  )
}

/** Visibility, and the state for owner and admins. */
export function VideoBadges({ video }: { video: Video }) {
  return (
    <>
      {video.isAnonymous && video.channel && <Badge variant="scrim">Anonymous</Badge>}
      <StateBadge video={video} />
      <VisibilityBadge visibility={video.visibility} squad={video.squad} />
    </>
  )
}
