import type { Default } from './column.ts'

/** A full-text index of the videos that everybody or members find, without the texts; `rowid` is the video's id. */
export interface VideoSearchTable {
  rowid: number
  title: string
  tags: string
  description: string
  channel: string | null
  /** The signs of the title, and of the rest, each spelled as a word. */
  titleSigns: string
  signs: string
  /** As one word that no text has; with another when only members find the video. */
  category: string
}

/** A full-text index of channels without their names; `rowid` is the user's id. */
export interface ChannelSearchTable {
  rowid: number
  displayName: string
  username: string
}

/** The videos that the index has, with the different words and tags that were counted of each. */
export interface SearchedVideosTable {
  videoId: number
  /** With spaces between them. */
  words: string
  visibility: Default<'public' | 'members'>
  /** JSON: as `videoTags` has them. */
  tags: Default<string>
}

/** The words of the videos that the index has, with the number of videos that have each, and of public ones. */
export interface SearchTermsTable {
  term: string
  videoCount: number
  publicCount: Default<number>
}

/** The tags of the videos that the index has, as its words. */
export interface SearchTagsTable {
  tag: string
  videoCount: number
  publicCount: number
  /** Its letters and digits alone, in one spelling of each. */
  plainName: Default<string>
}

/** One row. */
export interface SearchStateTable {
  id: number
  /** Counts the changes of the index. */
  changes: number
  /** How the words of the index were made (`WORDS_FORMAT`); 0 before that was counted. */
  wordsFormat: Default<number>
}

/**
 * What changed since the index was brought up to date; written by triggers. A channel stands for all of its
 * videos, of which those up to `reachedId` are done.
 */
export interface SearchOutboxTable {
  kind: 'video' | 'channel'
  id: number
  reachedId: Default<number>
}
