/**
 * What an engine of full-text search has to do, so that a site answers the same on each:
 * docs/decisions/0043-search-on-postgresql.md. What is a word, what is meant by one, and in which order tiers of
 * results come, is decided once, outside of them.
 */

import type { RawBuilder } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'
import type { IndexedVideo } from './indexed-video.ts'

export type Connection = Database | DatabaseTransaction
export type VideoOrder = Exclude<SearchSort, 'relevance'>

/** Where words are looked for: in titles; in titles, tags and the names of channels; or in descriptions too. */
export type Tier = 'title' | 'names' | 'text'

/** What a video must have: for each word any of its alternatives, and all of the signs. */
export type Match = {
  /** Words as `queryWords` gives them. */
  alternatives: string[][]
  /** Runs of signs as `spellSigns` gives them. */
  signs: string[]
  category: string | undefined
  tier: Tier
  /** Only whole words count, not their beginnings. */
  whole?: boolean
}

/**
 * How many videos have a word or begin with it: a video counts once for each such word, and of very many words only the
 * first 100 count. `most` have one of the words.
 */
export type WordCount = { isWord: boolean; videoCount: number; most: number }
export type KnownWord = { term: string; videoCount: number }

export type Wanted = { order: VideoOrder; limit: number }
export type WantedMatches = Wanted & {
  /** How many videos have the words, more or less. */
  about: number
  /** A query that finds all that this one finds, and more. */
  within?: string | undefined
  /** When no more than so many match, none is wanted. */
  beyond?: number
}

/** The index as one audience finds it. */
export interface FoundIndex {
  readonly audience: Audience

  /** Whether this audience may find anything. */
  isAllowed(): boolean

  /** What any of the matches finds, as a query in the engine's own words; of what finds the same, the queries may be the same. */
  toQuery(...matches: Match[]): string

  /** How many match a query, as far as `max`: its cost is bounded by that. What was hidden a moment ago may be counted. */
  count(query: string, max: number): Promise<number>

  countWord(word: string): Promise<WordCount>

  /** Which of `words` begin a word that the audience may know, or are one. */
  listBegun(words: string[]): Promise<string[]>

  /** Which of the words that `others` makes of `word` are known to the audience, the most frequent first. */
  listKnown(word: string, others: (word: string) => string[]): Promise<KnownWord[]>

  /** The ids of the first that match a query, by views or by the day they were published; then by id, the newest first. */
  first(query: string, wanted: WantedMatches): Promise<number[]>

  /**
   * The first that match the last of `queries`, each of which finds all that the one before finds: those of an earlier one before
   * those of a later one, each by views, then by id, the newest first. With how many match.
   * @returns undefined when very many match, or where the engine asks for one query after the other as fast
   */
  firstOfFew(
    queries: string[],
    wanted: Pick<WantedMatches, 'limit' | 'about'>,
  ): Promise<{ ids: number[]; total: number } | undefined>

  /** The first of any few videos. */
  firstOfList(ids: number[], wanted: Wanted): Promise<number[]>

  /** Of those that match a query, the newest by id: the cost is bounded by `limit`, not by how many match. */
  listNewest(query: string, limit: number): Promise<number[]>

  /** The value of before, or else what `read` answers; cached at most until the index changes. */
  readThrough<Value>(
    key: string,
    read: () => Promise<Value>,
    bytesOf?: (value: Value) => number,
  ): Promise<Value>
}

export interface SearchIndex {
  /** Drops what was cached of an older index; to be called before each search. @returns the version of the index */
  refresh(): Promise<number>
  of(audience: Audience): FoundIndex
  /** Which of some videos wait to be indexed, and the version of the index at that moment. */
  readWaiting(ids: number[]): Promise<{ version: number; waiting: Set<number> }>
}

/** How the index is written. */
export interface SearchEngine {
  /**
   * SQL, at the end of a SELECT: its rows stay as they are until the transaction ends, and those that another transaction
   * is changing are left out.
   */
  lockRows: RawBuilder<unknown>

  /** None of them may be there. */
  insertVideos(db: Connection, videos: IndexedVideo[]): Promise<void>
  /** All of them must be there. */
  deleteVideos(db: Connection, ids: number[]): Promise<void>
  /** Brings it up to a channel's names, or to its end. */
  updateChannel(db: Connection, id: number): Promise<void>
  /** Leaves nothing but the names of all channels. */
  reset(db: Connection): Promise<void>

  /** SQL: a table of rows, however many. */
  tableOf<Column extends string>(
    rows: Record<Column, number | string>[],
    columns: Record<Column, 'integer' | 'text'>,
  ): RawBuilder<unknown>

  /** SQL: the ids of at most 100 members whose names have, for each of `alternatives`, a word that begins with one of them. */
  listNamed(alternatives: string[][]): RawBuilder<number>

  /** Does a few milliseconds of what makes searches faster. @returns whether there is more to do */
  tidy(db: Connection): Promise<boolean>

  /**
   * Whether the index is what it would be if it were made again; nothing of the site is changed.
   * @param db nobody else uses it meanwhile
   * @param addAll gives all videos as they are to stand in the index
   */
  isWhole(
    db: DatabaseTransaction,
    addAll: (add: (videos: IndexedVideo[]) => Promise<void>) => Promise<void>,
  ): Promise<boolean>
}
