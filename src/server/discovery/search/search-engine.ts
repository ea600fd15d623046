/**
 * The engine-specific part (docs/decisions/0043-search-on-postgresql.md); words, corrections and
 * tiers do not.
 */

import type { RawBuilder } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'
import type { IndexedVideo } from './indexed-video.ts'

export type Connection = Database | DatabaseTransaction
export type VideoOrder = Exclude<SearchSort, 'relevance'>

/** Title; with tags and channel; everything. */
export type Tier = 'title' | 'names' | 'text'

/** One alternative of each word, and all signs. */
export type Match = {
  /** From `queryWords`. */
  alternatives: string[][]
  /** Runs from `spellSigns`. */
  signs: string[]
  category: string | undefined
  tier: Tier
  whole?: boolean
}

/** A video counts once per matching word, of at most 100; `most` is the most frequent word's. */
export type WordCount = { isWord: boolean; videoCount: number; most: number }
export type KnownWord = { term: string; videoCount: number }

export type Wanted = { order: VideoOrder; limit: number }
export type WantedMatches = Wanted & {
  /** Estimated matches. */
  about: number
  beyond?: number
}

export interface AudienceIndex {
  readonly audience: Audience

  isAllowed(): boolean

  /** The engine's query for what any of the matches finds. */
  query(...matches: Match[]): string

  /** Up to `max`, which bounds the cost; may include videos hidden just now. */
  count(query: string, max: number): Promise<number>

  countWord(word: string): Promise<WordCount>

  /** Words, or beginnings of words, known to the audience. */
  listBegun(words: string[]): Promise<string[]>

  /** Most frequent first. */
  listKnown(word: string, others: (word: string) => string[]): Promise<KnownWord[]>

  /** By views or day, then newest id. */
  rank(query: string, wanted: WantedMatches): Promise<number[]>

  /**
   * Narrower queries first, each by views, then newest id.
   * @returns undefined when very many match, or separate queries are as fast
   */
  rankTiers(
    queries: string[],
    wanted: Pick<WantedMatches, 'limit' | 'about'>,
  ): Promise<{ ids: number[]; total: number } | undefined>

  rankIds(ids: number[], wanted: Wanted): Promise<number[]>

  /** Newest by id; `limit` bounds the cost. */
  candidates(query: string, limit: number): Promise<number[]>

  readThrough<Value>(
    key: string,
    read: () => Promise<Value>,
    bytesOf?: (value: Value) => number,
  ): Promise<Value>
}

export interface SearchIndex {
  /**
   * Drops stale caches, before each search.
   * @returns version of the index
   */
  refresh(): Promise<number>
  of(audience: Audience): AudienceIndex
  /** A consistent snapshot. */
  readWaiting(ids: number[]): Promise<{ version: number; waiting: Set<number> }>
}

export interface SearchEngine {
  /** SQL suffix of a SELECT that locks rows and skips locked ones. */
  lockRows: RawBuilder<unknown>

  /** None may exist. */
  insertVideos(db: Connection, videos: IndexedVideo[]): Promise<void>
  /** All must exist. */
  deleteVideos(db: Connection, ids: number[]): Promise<void>
  /** Also removes a deleted channel. */
  updateChannel(db: Connection, id: number): Promise<void>
  /** Keeps the names of channels. */
  reset(db: Connection): Promise<void>

  /** SQL: a table of any number of rows. */
  tableOf<Column extends string>(
    rows: Record<Column, number | string>[],
    columns: Record<Column, 'integer' | 'text'>,
  ): RawBuilder<unknown>

  /** SQL: at most 100 members whose names match each list by a prefix. */
  listNamed(alternatives: string[][]): RawBuilder<number>

  /**
   * A few milliseconds.
   * @returns whether more is to do
   */
  tidy(db: Connection): Promise<boolean>
  /** At once, after `reset` and many `insertVideos`. */
  tidyAll(db: Connection): Promise<void>

  /**
   * Compares with a fresh index; changes nothing.
   * @param db exclusive
   * @param addAll passes all videos
   */
  isWhole(
    db: DatabaseTransaction,
    addAll: (add: (videos: IndexedVideo[]) => Promise<void>) => Promise<void>,
  ): Promise<boolean>
}
