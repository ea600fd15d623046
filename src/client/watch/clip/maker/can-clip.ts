import { CLIP_SECONDS_MIN } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

/** The video plays, and its owner allows clips or is the viewer. */
export function canClip(video: Video, viewerId: number | undefined): boolean {
  const plays =
    video.processingState === 'ready' && video.videoUrl !== null && video.videoFileExists
  const isAllowed = video.allowsClips || (viewerId !== undefined && viewerId === video.userId)
  return plays && isAllowed && video.duration >= CLIP_SECONDS_MIN
}
