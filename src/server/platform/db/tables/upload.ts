import type { Generated, Selectable } from 'kysely'
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
  /** Of the picture sent with the upload. */
  thumbnailBytes: Default<number>
  /** Null for the owner's or site's default. */
  visibility: Visibility | null
  /** If set, `visibility` is `private`. */
  squadId: number | null
  /** User ids, as a JSON array. */
  participants: Default<string>
  replacesVideoId: number | null
  videoId: number | null
  failure: string | null
  /** JSON, written before files are moved. */
  prepared: string | null
  /** The server opened the upload, so members are not asked to continue it. */
  isFromInbox: Default<Flag>
  /** Id of the video to be, if the upload can be watched while it arrives. */
  reservedVideoId: number | null
  /** The time at which bytes last arrived. It is null once the sender has disconnected. */
  aliveAt: string | null
  createdAt: string
  touchedAt: string
}

/** Files that the site fetches from an address. Each becomes an upload of the member. */
export interface FetchesTable {
  id: Generated<number>
  userId: number
  /** `same`: the file is here, and the member decides what to do with a duplicate. */
  state: Default<'queued' | 'same' | 'done' | 'failed'>
  /** May contain a key. Empty once it is done. */
  url: string
  fileName: string
  /** JSON of `UploadDetails`. */
  details: string
  uploadId: string | null
  /** Entity tag or time by which the rest of the file is asked for. */
  validator: string | null
  /** The size is null until the other server states it. */
  size: number | null
  /** Consecutive. */
  failures: Default<number>
  runAfter: string
  allowsSame: Default<Flag>
  problem: string | null
  videoId: number | null
  createdAt: string
}

export interface UploadChunksTable {
  uploadId: string
  chunkIndex: number
  hash: Uint8Array
}

export type FetchRow = Selectable<FetchesTable>
export type UploadRow = Selectable<UploadsTable>
