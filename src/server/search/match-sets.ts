import type { Database } from '../db/database.ts'
import {
  countWord,
  type KnownWord,
  listKnownWords,
  listMatches,
  listOrderedIds,
  readIndexVersion,
  sortVideoIds,
  type VideoOrder,
} from './search.queries.ts'

/** Up to so many videos are sorted by looking at each; of more, all videos are gone through in order. */
const SORTED_MAX = 1000
const FIRST_STRIDE = 512
const KEPT_BYTES_MAX = 8 * 1024 * 1024
/** What keeping anything costs besides its content. */
const ENTRY_BYTES = 200

/** The videos that match something: a list when they are few, else one bit for each id. */
export type MatchSet = { size: number; ids: number[] } | { size: number; bits: Uint8Array }

export type SearchIndex = ReturnType<typeof createSearchIndex>

/**
 * Reads the full-text index. What it read is kept (8 MiB at most) until a title, description, tag,
 * name or visibility changes: views and likes change nothing here.
 */
export function createSearchIndex(db: Database) {
  const kept = new Map<string, unknown>()
  let keptBytes = 0
  let version = -1

  function forget(): void {
    kept.clear()
    keptBytes = 0
  }

  /** The value of before, or else what `read` answers; kept until the index changes. */
  async function keep<Value>(
    key: string,
    read: () => Promise<Value>,
    bytesOf: (value: Value) => number = () => 0,
  ): Promise<Value> {
    const known = kept.get(key)
    if (known !== undefined) return known as Value
    const value = await read()
    const bytes = bytesOf(value) + key.length * 2 + ENTRY_BYTES
    if (keptBytes + bytes > KEPT_BYTES_MAX) forget()
    kept.set(key, value)
    keptBytes += bytes
    return value
  }

  return {
    keep,

    /** Drops what was kept when the index changed; to be called before each search. */
    async refresh(): Promise<void> {
      const current = await readIndexVersion(db)
      if (current !== version) forget()
      version = current
    },

    /** All videos that match a full-text query. */
    match: (expression: string): Promise<MatchSet> =>
      keep(`match ${expression}`, async () => toSet(await listMatches(db, expression)), bytesOfSet),

    countWord: (word: string) => keep(`word ${word}`, () => countWord(db, word)),

    /** Which of the words that `others` makes of `word` are indexed, the most frequent first. */
    listKnown: (word: string, others: (word: string) => string[]): Promise<KnownWord[]> =>
      keep(`known ${word}`, () => listKnownWords(db, others(word))),

    /** The first `limit` of a set, by the number of views or by the day they were published. */
    first: (set: MatchSet, input: { order: VideoOrder; limit: number }): Promise<number[]> =>
      'ids' in set ? sortVideoIds(db, { ...input, ids: set.ids }) : walk(db, set.bits, input),
  }
}

function toSet(ids: number[]): MatchSet {
  const size = ids.length
  if (size <= SORTED_MAX) return { size, ids }
  const bits = new Uint8Array(((ids.at(-1) ?? 0) >> 3) + 1)
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7))
  return { size, bits }
}

function bytesOfSet(set: MatchSet): number {
  return 'ids' in set ? set.ids.length * 8 : set.bits.length
}

/** Goes through all public videos in order until enough of them are in the set. */
async function walk(
  db: Database,
  bits: Uint8Array,
  input: { order: VideoOrder; limit: number },
): Promise<number[]> {
  const found: number[] = []
  let [offset, stride] = [0, FIRST_STRIDE]
  while (true) {
    const ids = await listOrderedIds(db, { order: input.order, offset, limit: stride })
    for (const id of ids) {
      if (((bits[id >> 3] ?? 0) >> (id & 7)) & 1) found.push(id)
      if (found.length === input.limit) return found
    }
    if (ids.length < stride) return found
    offset += stride
    stride *= 2
  }
}
