import type { Generated, Selectable } from 'kysely'
import type { InboxOriginals } from '#shared/schemas/inbox.schemas.ts'
import type { Default, Flag } from './column.ts'

/** A file in a folder of `INBOX`, one row per path. */
export interface InboxItemsTable {
  id: Generated<number>
  userId: number | null
  /** The folder as `INBOX` has it. */
  folder: string
  /** Relative to `folder`, with slashes. */
  path: string
  /** Changes with the file, see `identityOf`; empty if the file is to be examined again. */
  identity: string
  fileSize: number
  /** Equal for equal files, see `contentKeyOf`; null if unread. */
  contentKey: string | null
  state: 'new' | 'queued' | 'published' | 'dismissed' | 'unusable'
  /** A sentence: why it is unusable, or was not published. */
  problem: string | null
  isMissing: Default<Flag>
  missingSince: string | null
  game: string | null
  recordedAt: string
  /** Seconds; 0 if unknown. */
  duration: Default<number>
  width: number | null
  height: number | null
  /** The same content: a video, or an earlier item of the same owner. */
  duplicateVideoId: number | null
  duplicateItemId: number | null
  /** JSON of `UploadDetails`, proposed or chosen; null if unusable. */
  details: string | null
  uploadId: string | null
  videoId: number | null
  /** `leaving`: deleted once the video plays. */
  original: Default<'there' | 'leaving' | 'removed'>
  foundAt: string
  changedAt: string
}

/** JPEG within 320x180, until published or dismissed. */
export interface InboxPicturesTable {
  itemId: number
  jpeg: Uint8Array
}

/** One row. */
export interface InboxSettingsTable {
  id: number
  isPaused: Default<Flag>
  originals: Default<InboxOriginals>
  /** What happens to the original of a video that is deleted on the site. */
  whenDeleted: Default<'keep' | 'delete'>
  /** What happens to the video of an original that is deleted in its folder. */
  whenMissing: Default<'keep' | 'delete'>
  /** JSON of `InboxRule[]`. */
  rules: Default<string>
  /** JSON of the result of the last round. */
  status: string | null
  /** A sentence that says why nothing can be published; null otherwise. */
  problem: string | null
}

export type InboxItemRow = Selectable<InboxItemsTable>
