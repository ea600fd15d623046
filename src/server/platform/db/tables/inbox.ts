import type { Generated, Selectable } from 'kysely'
import type { InboxOriginals } from '#shared/schemas/inbox.schemas.ts'
import type { Default, Flag } from './column.ts'

/** A file in a folder of `INBOX`, one row per path. */
export interface InboxItemsTable {
  id: Generated<number>
  userId: number | null
  /** The folder's path as written in `INBOX`. */
  folder: string
  /** Path relative to `folder`, with slashes. */
  path: string
  /** Result of `identityOf`, which changes with the file. It is empty if the file must be examined again. */
  identity: string
  fileSize: number
  /** Result of `contentKeyOf`, which is equal for equal files. It is null if the file was not read. */
  contentKey: string | null
  state: 'new' | 'queued' | 'published' | 'dismissed' | 'unusable'
  /** A sentence that says why the file is unusable or was not published. */
  problem: string | null
  isMissing: Default<Flag>
  missingSince: string | null
  game: string | null
  recordedAt: string
  /** Seconds, or 0 if unknown. */
  duration: Default<number>
  width: number | null
  height: number | null
  /** The video or the earlier item of the same owner that has the same content. */
  duplicateVideoId: number | null
  duplicateItemId: number | null
  /** JSON of the proposed or chosen `UploadDetails`, or null if the file is unusable. */
  details: string | null
  uploadId: string | null
  videoId: number | null
  /** An original that is `leaving` is deleted once the video plays. */
  original: Default<'there' | 'leaving' | 'removed'>
  foundAt: string
  changedAt: string
}

/** A JPEG within 320x180 for each item that is neither published nor dismissed. */
export interface InboxPicturesTable {
  itemId: number
  jpeg: Uint8Array
}

/** The table has one row. */
export interface InboxSettingsTable {
  id: number
  isPaused: Default<Flag>
  originals: Default<InboxOriginals>
  /** Says what happens to the original of a deleted video. */
  whenDeleted: Default<'keep' | 'delete'>
  /** Says what happens to the video of an original that was deleted in its folder. */
  whenMissing: Default<'keep' | 'delete'>
  /** JSON of `InboxRule[]`. */
  rules: Default<string>
  /** JSON of the `InboxStatus` of the last round. */
  status: string | null
  /** A sentence that says why publishing has stopped, or null. */
  problem: string | null
}

export type InboxItemRow = Selectable<InboxItemsTable>
