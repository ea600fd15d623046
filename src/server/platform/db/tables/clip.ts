import type { Generated } from 'kysely'
import type { Default } from './column.ts'

export interface ClipsTable {
  id: Generated<number>
  videoId: number
  userId: number
  title: string
  /** Without case and accents. */
  foldedTitle: string
  /** To the millisecond. */
  startSeconds: number
  endSeconds: number
  createdAt: string
  viewCount: Default<number>
  likeCount: Default<number>
  /** Always zero. */
  dislikeCount: Default<number>
  /** Of the file for sharing. */
  fileState: Default<'none' | 'wanted' | 'made' | 'failed'>
  /** In the folder of the video. */
  shareFile: string | null
  pictureFile: string | null
  /** The member whose clips were made last waits longest. */
  fileBegunAt: string | null
}

export interface ClipViewsTable {
  clipId: number
  viewerKey: string
  viewedAt: string
}
