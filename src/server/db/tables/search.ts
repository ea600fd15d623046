import type { Default } from './column.ts'

/** A full-text index of public videos without the texts; `rowid` is the video's id. Kept by triggers. */
export interface VideoSearchTable {
  rowid: number
  title: string
  tags: string
  description: string
  channel: string
  /** The signs of the title, and of the rest, each spelled as a word. */
  titleSigns: string
  signs: string
  /** As one word that no text has. */
  category: string
}

/** The words of the index as SQLite splits them, with the number of videos that have each. */
export interface VideoTermsTable {
  term: string
  doc: number
}

/** The words of public videos as we split them, with the number of videos that have each. Kept by triggers. */
export interface SearchTermsTable {
  term: string
  videoCount: number
}

/** One row. */
export interface SearchStateTable {
  id: number
  /** Counts the changes of the index. */
  changes: number
}

/**
 * Channels whose new name is on its way through the index: it has the videos up to `reachedId` with the
 * new one, those beyond it with the old one. Made by a trigger.
 */
export interface ChannelRenamesTable {
  userId: number
  oldDisplayName: string
  oldUsername: string
  newDisplayName: string
  newUsername: string
  reachedId: Default<number>
}
