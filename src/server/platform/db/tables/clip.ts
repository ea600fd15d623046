import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** Ranges of videos that members chose: they play the renditions of their video. */
export interface ClipsTable {
  id: Generated<number>
  videoId: number
  /** The member who made it. */
  userId: number
  title: string
  /** The title without case and accents. */
  foldedTitle: string
  /** Position in the video, to the millisecond. */
  startSeconds: number
  endSeconds: number
  createdAt: string
  viewCount: Default<number>
  likeCount: Default<number>
  /** Always zero: clips are only liked, but counted like everything else. */
  dislikeCount: Default<number>
  /** Whether a file to share is there, or to be made. */
  fileState: Default<'none' | 'wanted' | 'made' | 'failed'>
  /** In the video's folder. */
  shareFile: string | null
  pictureFile: string | null
  /** When the work on its file was last begun: whose clips were worked on last comes last. */
  fileBegunAt: string | null
}

/** When a viewer's last view of a clip counted. */
export interface ClipViewsTable {
  clipId: number
  viewerKey: string
  viewedAt: string
}
