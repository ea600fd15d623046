import type { Default } from './column.ts'

/** Contentless full-text index of public and members' videos; `rowid` is the video's id. */
export interface VideoSearchTable {
  rowid: number
  title: string
  tags: string
  description: string
  channel: string | null
  /** Symbols of the title, and of the other texts, each encoded as a word. */
  titleSigns: string
  signs: string
  /** Each encoded as a word that no text contains, with another for members' videos. */
  category: string
}

/** Contentless full-text index; `rowid` is the user's id. */
export interface ChannelSearchTable {
  rowid: number
  displayName: string
  username: string
}

/** Indexed videos with their distinct words and tags. */
export interface SearchedVideosTable {
  videoId: number
  /** Separated by spaces. */
  words: string
  visibility: Default<'public' | 'members'>
  /** As JSON, in the spelling of `videoTags`. */
  tags: Default<string>
}

/** Words with the number of videos, and of public ones. */
export interface SearchTermsTable {
  term: string
  videoCount: number
  publicCount: Default<number>
}

/** As `SearchTermsTable`. */
export interface SearchTagsTable {
  tag: string
  videoCount: number
  publicCount: number
  /** Letters and digits only, in one spelling. */
  plainName: Default<string>
}

/** One row. */
export interface SearchStateTable {
  id: number
  changes: number
  /** `WORDS_FORMAT` of the words in the index; 0 for an older one. */
  wordsFormat: Default<number>
}

/** Changes not yet indexed, written by triggers. A channel stands for its videos, which are done up to `reachedId`. */
export interface SearchOutboxTable {
  kind: 'video' | 'channel'
  id: number
  reachedId: Default<number>
}
