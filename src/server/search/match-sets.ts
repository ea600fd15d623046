import type { Database } from '../db/database.ts'
import { readDataVersion } from '../db/dialect.ts'
import {
  countMatches,
  countWord,
  type KnownWord,
  listKnownWords,
  listMatches,
  listOrderedIds,
  readIndexVersion,
  sortVideoIds,
  type VideoOrder,
} from './search.queries.ts'

/** Of more videos than this one bit for each id is kept instead of a list. */
const LISTED_MAX = 4000
/** What it costs to look at one video, in steps through the index of an order. */
const LOOK_STEPS = 32
const FIRST_STRIDE = 512
/** So many steps of each order are kept; their strides double. */
const KEPT_STEPS = 32_000
/** The beginnings of orders are kept up to this length. */
const KEPT_ORDER_MAX = 200
const KEPT_BYTES_MAX = 8 * 1024 * 1024
/** What keeping anything costs besides its content. */
const ENTRY_BYTES = 200

/** The videos that match something: a list when they are few, else one bit for each id. */
export type MatchSet = { size: number; lastId: number; ids?: number[]; bits?: Uint8Array }

type Wanted = { order: VideoOrder; limit: number }
type Stretch = { order: VideoOrder; offset: number; limit: number }
type ListStretch = (stretch: Stretch) => Promise<number[]>

export type SearchIndex = ReturnType<typeof createSearchIndex>

/**
 * Reads the full-text index. What it read is kept (8 MiB at most) until a title, description, tag,
 * name or visibility changes: views and likes change nothing here, but the order of videos, which is
 * kept until anything changes.
 */
export function createSearchIndex(db: Database) {
  const kept = new Map<string, { value: unknown; bytes: number }>()
  let keptBytes = 0
  let version = -1
  let orders = new WeakMap<MatchSet, Map<string, number[]>>()
  const stretches = new Map<string, number[]>()
  let dataVersion = -1

  /** Until there is room for so many bytes; the oldest goes first. */
  function makeRoom(bytes: number): void {
    for (const [key, entry] of kept) {
      if (keptBytes + bytes <= KEPT_BYTES_MAX) return
      kept.delete(key)
      keptBytes -= entry.bytes
    }
  }

  /** The value of before, or else what `read` answers; kept until the index changes. */
  async function keep<Value>(
    key: string,
    read: () => Promise<Value>,
    bytesOf: (value: Value) => number = () => 0,
  ): Promise<Value> {
    const known = kept.get(key)
    if (known !== undefined) return known.value as Value
    const value = await read()
    const bytes = bytesOf(value) + key.length * 2 + ENTRY_BYTES
    makeRoom(bytes)
    kept.set(key, { value, bytes })
    keptBytes += bytes
    return value
  }

  const match = (expression: string): Promise<MatchSet> =>
    keep(matchKey(expression), async () => toSet(await listMatches(db, expression)), bytesOfSet)

  /** The beginnings of orders are asked for again and again. */
  async function listStretch(stretch: Stretch): Promise<number[]> {
    const key = `${stretch.order} ${stretch.offset} ${stretch.limit}`
    const ids = stretches.get(key) ?? (await listOrderedIds(db, stretch))
    if (stretch.offset + stretch.limit <= KEPT_STEPS) stretches.set(key, ids)
    return ids
  }

  /** Few videos are looked at one by one; for many it is quicker to go through all until enough are met. */
  function readFirst(set: MatchSet, wanted: Wanted): Promise<number[]> {
    const { ids, size, lastId } = set
    const stepsToWalk = (wanted.limit * lastId) / Math.max(size, 1)
    if (ids && (size <= wanted.limit || size * LOOK_STEPS < stepsToWalk)) {
      return sortVideoIds(db, { ...wanted, ids })
    }
    return walk(listStretch, set.bits ?? toBits(ids ?? [], lastId), wanted)
  }

  return {
    keep,

    /** Drops what was kept when the index changed; to be called before each search. */
    async refresh(): Promise<void> {
      const currentData = await readDataVersion(db)
      if (currentData === dataVersion) return
      dataVersion = currentData
      orders = new WeakMap()
      stretches.clear()
      const current = await readIndexVersion(db)
      if (current !== version) makeRoom(Number.POSITIVE_INFINITY)
      version = current
    },

    /** All videos that match a full-text query. */
    match,

    /** How many match, as far as `max`: its cost is bounded by that. */
    async count(expression: string, max: number): Promise<number> {
      const known = kept.get(matchKey(expression))?.value as MatchSet | undefined
      if (known) return Math.min(known.size, max)
      return keep(`count ${max} ${expression}`, () => countMatches(db, { expression, max }))
    },

    countWord: (word: string) => keep(`word ${word}`, () => countWord(db, word)),

    /** Which of the words that `others` makes of `word` are indexed, the most frequent first. */
    listKnown: (word: string, others: (word: string) => string[]): Promise<KnownWord[]> =>
      keep(`known ${word}`, () => listKnownWords(db, others(word))),

    /** The first `limit` of a set, by the number of views or by the day they were published. */
    async first(set: MatchSet, wanted: Wanted): Promise<number[]> {
      const known = orders.get(set) ?? new Map<string, number[]>()
      orders.set(set, known)
      const key = `${wanted.order} ${wanted.limit}`
      const ids = known.get(key) ?? (await readFirst(set, wanted))
      if (wanted.limit <= KEPT_ORDER_MAX) known.set(key, ids)
      return ids
    },
  }
}

const matchKey = (expression: string) => `match ${expression}`

function toSet(ids: number[]): MatchSet {
  const [size, lastId] = [ids.length, ids.at(-1) ?? 0]
  return size <= LISTED_MAX ? { size, lastId, ids } : { size, lastId, bits: toBits(ids, lastId) }
}

function toBits(ids: number[], lastId: number): Uint8Array {
  const bits = new Uint8Array((lastId >> 3) + 1)
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7))
  return bits
}

function bytesOfSet({ ids, bits }: MatchSet): number {
  return ids ? ids.length * 8 : (bits?.length ?? 0)
}

/** Goes through all public videos in order until enough of them are in the set. */
async function walk(list: ListStretch, bits: Uint8Array, input: Wanted): Promise<number[]> {
  const found: number[] = []
  let [offset, stride] = [0, FIRST_STRIDE]
  while (true) {
    const ids = await list({ order: input.order, offset, limit: stride })
    for (const id of ids) {
      if (((bits[id >> 3] ?? 0) >> (id & 7)) & 1) found.push(id)
      if (found.length === input.limit) return found
    }
    if (ids.length < stride) return found
    offset += stride
    stride *= 2
  }
}
