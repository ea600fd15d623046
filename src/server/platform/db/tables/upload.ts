import type { Selectable } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

export interface UploadsTable {
  id: string
  userId: number
  state: 'receiving' | 'finalizing' | 'completed' | 'failed' | 'expired'
  fileName: string
  fileSize: number
  chunkCount: number
  mediaKey: string
  title: string
  description: string
  category: string
  /** A JSON array of strings. */
  tags: string
  isAnonymous: Flag
  thumbnailUrl: string | null
  /** Bytes of the picture that came with it. */
  thumbnailBytes: Default<number>
  /** Null for the default of its owner or the site. */
  visibility: Visibility | null
  /** User ids of the participants, as a JSON array. */
  participants: Default<string>
  /** The video whose recording it is to replace. */
  replacesVideoId: number | null
  videoId: number | null
  /** Why the file was refused, for the uploader. */
  failure: string | null
  /** What finishing the upload found and made, as JSON; written before its files are moved. */
  prepared: string | null
  createdAt: string
  touchedAt: string
}

export interface UploadChunksTable {
  uploadId: string
  chunkIndex: number
  /** SHA-256 of the chunk's bytes. */
  hash: Uint8Array
}

export type UploadRow = Selectable<UploadsTable>
