import type { VideoRow } from '#server/platform/db/tables/video.ts'
import type { Viewer } from '#server/platform/viewer.ts'

export function canTakeFrom(
  video: Pick<VideoRow, 'userId' | 'allowsClipVideos'>,
  viewer: Viewer,
): boolean {
  return video.userId === viewer.id || video.allowsClipVideos === 1
}
