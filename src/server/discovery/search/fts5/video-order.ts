import type { Database } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { VideoOrder } from '../search-engine.ts'
import { listOrderedIds, type OrderCursor, sortVideoIds } from './matches.queries.ts'

/** Cost of reading a row, in steps through the index. */
const ROW_STEPS = 32
const BATCH_MIN = 512
const BATCH_MAX = 50_000

/** An order read as far as searches need it, 8 bytes per video. Ranks need no row. */
export function createVideoOrder(db: Database, list: { audience: Audience; order: VideoOrder }) {
  let ids = new Uint32Array(BATCH_MIN)
  /** Rank by id, from 1; 0 when unknown. */
  let ranks = new Uint32Array(BATCH_MIN)
  let count = 0
  let last: OrderCursor | undefined
  let isWhole = false

  function forget(): void {
    ranks.fill(0)
    count = 0
    last = undefined
    isWhole = false
  }

  async function readMore(limit: number): Promise<void> {
    const batch = await listOrderedIds(db, { ...list, after: last, limit })
    ids = withCapacity(ids, count + batch.ids.length)
    for (const id of batch.ids) {
      ranks = withCapacity(ranks, id + 1)
      ids[count++] = id
      ranks[id] = count
    }
    last = batch.last
    isWhole = batch.ids.length < limit
  }

  const nextBatchSize = () => Math.min(Math.max(count, BATCH_MIN), BATCH_MAX)

  /** Reads more of the order as long as that is cheaper than reading the rows of unranked ids. */
  async function firstOfList(some: number[], limit: number): Promise<number[]> {
    const wanted = Math.min(limit, some.length)
    let steps = 0
    for (;;) {
      const known = Uint32Array.from(some, (id) => ranks[id] ?? 0).filter((place) => place > 0)
      const stepsLeft = (some.length - known.length) * ROW_STEPS - steps
      if (known.length >= wanted || isWhole || stepsLeft <= 0) {
        const first = Array.from(known.sort().subarray(0, wanted), (place) => ids[place - 1] ?? 0)
        if (first.length === wanted || isWhole) return first
        const others = { ids: some.filter((id) => !ranks[id]), limit: wanted - first.length }
        return [...first, ...(await sortVideoIds(db, { ...others, ...list }))]
      }
      const size = Math.min(stepsLeft, nextBatchSize())
      await readMore(size)
      steps += size
    }
  }

  async function firstWithBit(bits: Uint8Array, limit: number): Promise<number[]> {
    const found: number[] = []
    for (let at = 0; found.length < limit; at++) {
      if (at === count && !isWhole) await readMore(nextBatchSize())
      if (at === count) break
      const id = ids[at] ?? 0
      if (((bits[id >> 3] ?? 0) >> (id & 7)) & 1) found.push(id)
    }
    return found
  }

  async function first(limit: number): Promise<number[]> {
    if (count < limit && !isWhole) await readMore(limit - count)
    return Array.from(ids.subarray(0, Math.min(count, limit)))
  }

  return { forget, first, firstOfList, firstWithBit }
}

function withCapacity(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (numbers.length >= length) return numbers
  const larger = new Uint32Array(Math.max(length, numbers.length * 2))
  larger.set(numbers)
  return larger
}
