import { EARLY_VIDEO_ID, type EarlyVideo } from '#shared/early-video.ts'
import type { Database } from '../db/database.ts'
import { listRenditions } from '../media/media-file.queries.ts'
import { renditionPlaylistName } from '../processing/encode/rung.ts'
import type { HeadTag } from './head-tags.ts'
import type { SharedVideo } from './sharing.queries.ts'

/** What a page's first script begins the video from; nothing where there is no file to play. */
export async function earlyVideoTags(db: Database, video: SharedVideo): Promise<HeadTag[]> {
  const { id, title, thumbnailUrl, whole, hlsUrl, duration, width, height } = video
  if (!whole) return []
  const renditions = hlsUrl === null ? [] : await listRenditions(db, id)
  const data: EarlyVideo = {
    ...{ id, title, thumbnailUrl, videoUrl: whole.url, hlsUrl },
    renditions: renditions.map(({ name, frameRate, bandwidth, codecs }) => ({
      url: `${hlsUrl?.replace(/[^/]+$/, '')}${renditionPlaylistName(name)}`,
      ...{ lines: name, frameRate, bitRate: bandwidth, codecs },
    })),
    ...{ duration, width, height },
  }
  return [{ tag: 'json', id: EARLY_VIDEO_ID, data }]
}
