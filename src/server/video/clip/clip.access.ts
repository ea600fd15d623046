import type { ClipsTable } from '#server/platform/db/tables/clip.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { canSeeOwner } from '../video/video.access.ts'

type ClipOfVideo = Pick<ClipsTable, 'userId'> & {
  ownerId: VideoRow['userId']
  isAnonymous: VideoRow['isAnonymous']
}

export function canEditClip(clip: ClipOfVideo, viewer: Viewer | undefined): boolean {
  return (
    viewer !== undefined && (viewer.isAdmin || isOf(clip, viewer) || clip.ownerId === viewer.id)
  )
}

export function canChangeRange(clip: ClipOfVideo, viewer: Viewer | undefined): boolean {
  return viewer !== undefined && isOf(clip, viewer)
}

/** A clip by its anonymous owner would reveal them. */
export function canSeeMaker(clip: ClipOfVideo, viewer: Viewer | undefined): boolean {
  if (clip.userId !== clip.ownerId) return true
  return canSeeOwner({ userId: clip.ownerId, isAnonymous: clip.isAnonymous }, viewer)
}

function isOf(clip: ClipOfVideo, viewer: Viewer): boolean {
  return clip.userId === viewer.id
}
