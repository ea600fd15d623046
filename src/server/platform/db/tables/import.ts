import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** Repeated imports skip these, also after the video was deleted. */
export interface ImportedVideosTable {
  id: Generated<number>
  userId: number
  source: 'fireshare'
  /** The id there. */
  sourceId: string
  /** `published`: clips and links are still to be added. */
  state: 'sending' | 'published' | 'done'
  /** Null if the owner had the same file before. */
  uploadId: string | null
  videoId: number | null
  publishedAt: string
  viewCount: Default<number>
  createdAt: string
}
