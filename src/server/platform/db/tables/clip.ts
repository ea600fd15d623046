import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** Ranges of videos that members chose; they play the renditions of the video. */
export interface ClipsTable {
  id: Generated<number>
  videoId: number
  userId: number
  title: string
  /** Without case and accents. */
  foldedTitle: string
  /** Position in the video, to the millisecond. */
  startSeconds: number
  endSeconds: number
  createdAt: string
  viewCount: Default<number>
  likeCount: Default<number>
  /** Always zero: clips have likes only. */
  dislikeCount: Default<number>
  /** Of the file for sharing. */
  fileState: Default<'none' | 'wanted' | 'made' | 'failed'>
  /** In the folder of the video. */
  shareFile: string | null
  pictureFile: string | null
  /** Start of the last work on the file; the member whose clips were processed last waits longest. */
  fileBegunAt: string | null
}

/** When a view of the viewer last counted. */
export interface ClipViewsTable {
  clipId: number
  viewerKey: string
  viewedAt: string
}
