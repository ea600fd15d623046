import type { Default } from './column.ts'

/** A contentless full-text index of public and members' videos; `rowid` is the video's id. */
export interface VideoSearchTable {
  rowid: number
  title: string
  tags: string
  description: string
  channel: string | null
  /** Symbols of the title, and of the other texts, each encoded as a word. */
  titleSigns: string
  signs: string
  /** Encoded as one word that no text contains; with another word for members' videos. */
  category: string
}

/** A contentless full-text index of channels; `rowid` is the user's id. */
export interface ChannelSearchTable {
  rowid: number
  displayName: string
  username: string
}

/** The indexed videos, with the distinct words and tags that were counted for each. */
export interface SearchedVideosTable {
  videoId: number
  /** Separated by spaces. */
  words: string
  visibility: Default<'public' | 'members'>
  /** As JSON, in the spelling of `videoTags`. */
  tags: Default<string>
}

/** Words of the indexed videos, with the number of videos, and of public ones. */
export interface SearchTermsTable {
  term: string
  videoCount: number
  publicCount: Default<number>
}

/** Tags of the indexed videos, as `SearchTermsTable`. */
export interface SearchTagsTable {
  tag: string
  videoCount: number
  publicCount: number
  /** Only letters and digits, in one spelling. */
  plainName: Default<string>
}

/** One row. */
export interface SearchStateTable {
  id: number
  /** Number of changes of the index. */
  changes: number
  /** `WORDS_FORMAT` of the words in the index; 0 for an older one. */
  wordsFormat: Default<number>
}

/** Changes that the index lacks, written by triggers. A channel stands for all its videos, which are done up to `reachedId`. */
export interface SearchOutboxTable {
  kind: 'video' | 'channel'
  id: number
  reachedId: Default<number>
}
