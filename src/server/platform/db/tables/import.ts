import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** Videos that an import does not bring again, even if they were deleted since. */
export interface ImportedVideosTable {
  id: Generated<number>
  userId: number
  source: 'address' | 'fireshare' | 'medal' | 'mediacms' | 'peertube' | 'steam' | 'yt-dlp'
  /** The video's id in the other program. */
  sourceId: string
  /** The clip and the link of a `published` import are not added yet. */
  state: 'sending' | 'published' | 'done'
  /** Null if the owner had the same file before. */
  uploadId: string | null
  videoId: number | null
  publishedAt: string
  viewCount: Default<number>
  createdAt: string
}
