import type { VideoRow } from '#server/platform/db/tables/video.ts'
import type { Viewer } from '#server/platform/viewer.ts'

/** One's own videos, and those whose owners let others make videos of their clips; admins are no exception. */
export function canTakeFrom(
  video: Pick<VideoRow, 'userId' | 'allowsClipVideos'>,
  viewer: Viewer,
): boolean {
  return video.userId === viewer.id || video.allowsClipVideos === 1
}
