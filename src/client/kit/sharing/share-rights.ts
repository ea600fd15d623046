import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

type Viewer = Pick<OwnUser, 'id' | 'isAdmin'> | null

/** Whether the viewer may post the video in a squad. */
export function canSendVideo(video: Video, viewer: Viewer): boolean {
  const { visibility, squad, isAnonymous } = video
  const isListed = visibility !== 'unlisted' && (visibility !== 'private' || squad !== null)
  return viewer !== null && !isAnonymous && isListed
}

/** Whether the viewer manages the share links of the video, as its owner or as an admin. */
export function linksOf(video: Video, viewer: Viewer): 'own' | 'others' | 'none' {
  if (viewer?.id === video.userId) return 'own'
  return viewer?.isAdmin ? 'others' : 'none'
}
