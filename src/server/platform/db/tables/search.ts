import type { Default } from './column.ts'

/** Contentless full-text index of listed videos; `rowid` is the video's id. */
export interface VideoSearchTable {
  rowid: number
  title: string
  tags: string
  description: string
  channel: string | null
  /** Symbols of the title and of the other texts, each spelled as a word. */
  titleSigns: string
  signs: string
  /** Words that no text contains, with another for members' videos. */
  category: string
}

/** Contentless full-text index; `rowid` is the user's id. */
export interface ChannelSearchTable {
  rowid: number
  displayName: string
  username: string
}

/** Indexed videos, their words and tags. */
export interface SearchedVideosTable {
  videoId: number
  /** Separated by spaces. */
  words: string
  visibility: Default<'public' | 'members'>
  /** As JSON, in the spelling of `videoTags`. */
  tags: Default<string>
}

/** Videos per word: all, and public ones. */
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
  /** Letters and digits only. */
  plainName: Default<string>
}

/** One row. */
export interface SearchStateTable {
  id: number
  changes: number
  /** `WORDS_FORMAT` of the index; 0 for an older one. */
  wordsFormat: Default<number>
}

/** Changes to index, by triggers. A channel stands for its videos, done up to `reachedId`. */
export interface SearchOutboxTable {
  kind: 'video' | 'channel'
  id: number
  reachedId: Default<number>
}
