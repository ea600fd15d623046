import { EARLY_VIDEO_ID, type EarlyVideo } from '#shared/early-video.ts'
import type { HeadTag } from './head-tags.ts'
import type { SharedVideo } from './sharing.queries.ts'

/** What a page's first script begins the video from; nothing where there is no file to play. */
export function earlyVideoTags(video: SharedVideo): HeadTag[] {
  const { id, title, thumbnailUrl, whole, hlsUrl, duration, width, height } = video
  if (!whole) return []
  const data: EarlyVideo = {
    ...{ id, title, thumbnailUrl, videoUrl: whole.url, hlsUrl },
    ...{ duration, width, height },
  }
  return [{ tag: 'json', id: EARLY_VIDEO_ID, data }]
}
