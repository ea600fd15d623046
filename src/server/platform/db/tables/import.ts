import type { Generated } from 'kysely'
import type { Default, Flag } from './column.ts'

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

/** Each run of an import, also of one at the shell. */
export interface ImportsTable {
  id: Generated<number>
  source: ImportedVideosTable['source']
  /** The path or address without what may be a key. */
  given: string
  /** JSON of the options. */
  options: Default<string>
  ownerId: number
  isFromDesk: Default<Flag>
  /** A `running` import whose `seenAt` is old has been killed. */
  state: Default<'running' | 'done' | 'stopped' | 'failed'>
  isStopAsked: Default<Flag>
  startedAt: string
  seenAt: string
  finishedAt: string | null
  /** JSON of `ImportProgress`. */
  progress: string | null
  /** JSON of `ImportReport`. */
  report: string | null
  /** Why nothing more could come. */
  error: string | null
}
