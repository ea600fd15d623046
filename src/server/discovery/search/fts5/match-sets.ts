import type { Database } from '#server/platform/db/database.ts'
import { readDataVersion } from '#server/platform/db/sqlite/data-version.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import {
  countWord,
  listBegunWords,
  listKnownWords,
  readIndexState,
} from '../index-words.queries.ts'
import { readWaiting } from '../outbox.queries.ts'
import type {
  AudienceIndex,
  KnownWord,
  SearchIndex,
  Wanted,
  WantedMatches,
} from '../search-engine.ts'
import { exceptForMembers, MATCH_FOR_MEMBERS, matchExpression } from './match-expression.ts'
import { countMatches, listMatches, listNewestMatches, sortVideoIds } from './matches.queries.ts'
import { createVideoOrder } from './video-order.ts'

/** Larger sets are bitmaps by id. */
const LISTED_MAX = 4000
const CACHE_BYTES_MAX = 8 * 1024 * 1024
/** Cost of reading a video's row, in steps through an order. */
const ROW_STEPS = 32
const ENTRY_BYTES = 200

type MatchSet = { size: number; lastId: number; ids?: number[]; bits?: Uint8Array }

/**
 * Caches up to 8 MiB until a title, description, tag, name or visibility changes; views and likes
 * invalidate only the orders.
 */
export function createSearchIndex(db: Database): SearchIndex {
  const cache = new Map<string, { value: unknown; bytes: number }>()
  let cachedBytes = 0
  let version = -1
  let isOpen = false
  let hasForMembers = false
  const ordersOf = (audience: Audience) => ({
    date: createVideoOrder(db, { audience, order: 'date' }),
    views: createVideoOrder(db, { audience, order: 'views' }),
  })
  const orders = { everybody: ordersOf('everybody'), members: ordersOf('members') }
  let dataVersion = -1

  function evictFor(bytes: number): void {
    for (const [key, entry] of cache) {
      if (cachedBytes + bytes <= CACHE_BYTES_MAX) return
      cache.delete(key)
      cachedBytes -= entry.bytes
    }
  }

  async function readThrough<Value>(
    key: string,
    read: () => Promise<Value>,
    bytesOf: (value: Value) => number = () => 0,
  ): Promise<Value> {
    const known = cache.get(key)
    if (known !== undefined) return known.value as Value
    const value = await read()
    const bytes = bytesOf(value) + key.length * 2 + ENTRY_BYTES
    evictFor(bytes)
    cache.set(key, { value, bytes })
    cachedBytes += bytes
    return value
  }

  const match = (expression: string): Promise<MatchSet> =>
    readThrough(
      matchKey(expression),
      async () => toSet(await listMatches(db, expression)),
      bytesOfSet,
    )

  async function count(expression: string, max: number): Promise<number> {
    const known = cache.get(matchKey(expression))?.value as MatchSet | undefined
    if (known) return Math.min(known.size, max)
    return readThrough(`count ${max} ${expression}`, () => countMatches(db, { expression, max }))
  }

  /** Match sets are shared: the order omits what an audience does not find. */
  function toAudience(audience: Audience): AudienceIndex {
    const ordered = orders[audience]
    const narrow = (expression: string) =>
      audience === 'everybody' && hasForMembers ? exceptForMembers(expression) : expression
    const countFound = (expression: string, max: number) => count(narrow(expression), max)

    return {
      audience,

      isAllowed: () => isOpen || audience === 'members',

      readThrough: <Value>(
        key: string,
        read: () => Promise<Value>,
        bytesOf?: (value: Value) => number,
      ): Promise<Value> => readThrough(`${audience} ${key}`, read, bytesOf),

      query: matchExpression,
      count: countFound,

      countWord: (word: string) =>
        readThrough(`${audience} word ${word}`, () => countWord(db, { word, audience })),

      listBegun: (words: string[]) =>
        readThrough(`${audience} begun ${words.join(' ')}`, () =>
          listBegunWords(db, { words, audience }),
        ),

      listKnown: (word: string, others: (word: string) => string[]): Promise<KnownWord[]> =>
        readThrough(`${audience} known ${word}`, () =>
          listKnownWords(db, { words: others(word), audience }),
        ),

      async rank(expression: string, { order, limit, beyond = 0 }: WantedMatches) {
        const { ids, bits, size, lastId } = await match(expression)
        if (size <= beyond) return []
        const expectedSteps = (limit * lastId) / Math.max(size, 1)
        if (ids && (size <= limit || size * ROW_STEPS < expectedSteps))
          return sortVideoIds(db, { ids, audience, order, limit })
        return ordered[order].firstWithBit(bits ?? toBits(ids ?? [], lastId), limit)
      },

      rankTiers: async () => undefined,

      rankIds: (ids: number[], wanted: Wanted) => sortVideoIds(db, { ids, audience, ...wanted }),

      candidates: (expression: string, limit: number) =>
        listNewestMatches(db, { expression: narrow(expression), limit }),
    }
  }

  const found = { everybody: toAudience('everybody'), members: toAudience('members') }

  return {
    async refresh(): Promise<number> {
      const currentData = await readDataVersion(db)
      if (currentData === dataVersion) return version
      for (const { date, views } of Object.values(orders)) {
        date.forget()
        views.forget()
      }
      const { version: current, isOpen: isOpenNow } = await readIndexState(db)
      isOpen = isOpenNow
      if (current !== version) {
        evictFor(Number.POSITIVE_INFINITY)
        hasForMembers = (await countMatches(db, { expression: MATCH_FOR_MEMBERS, max: 1 })) > 0
        version = current
      }
      // Last: a failure is retried.
      dataVersion = currentData
      return version
    },

    of: (audience: Audience) => found[audience],
    readWaiting: (ids) => readWaiting(db, ids),
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
