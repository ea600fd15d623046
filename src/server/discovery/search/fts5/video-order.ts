import type { Database } from '#server/platform/db/database.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import type { VideoOrder } from '../search-engine.ts'
import { listOrderedIds, type OrderCursor } from './matches.queries.ts'

const BATCH_MIN = 512
const BATCH_MAX = 50_000

/** Read as far as searches need, 4 bytes per video. */
export function createVideoOrder(db: Database, list: { audience: Audience; order: VideoOrder }) {
  let ids = new Uint32Array(BATCH_MIN)
  let count = 0
  let last: OrderCursor | undefined
  let isWhole = false

  function forget(): void {
    count = 0
    last = undefined
    isWhole = false
  }

  async function readMore(): Promise<void> {
    const limit = Math.min(Math.max(count, BATCH_MIN), BATCH_MAX)
    const batch = await listOrderedIds(db, { ...list, after: last, limit })
    ids = withCapacity(ids, count + batch.ids.length)
    ids.set(batch.ids, count)
    count += batch.ids.length
    last = batch.last
    isWhole = batch.ids.length < limit
  }

  async function firstWithBit(bits: Uint8Array, limit: number): Promise<number[]> {
    const found: number[] = []
    for (let at = 0; found.length < limit; at++) {
      if (at === count && !isWhole) await readMore()
      if (at === count) break
      const id = ids[at] ?? 0
      if (((bits[id >> 3] ?? 0) >> (id & 7)) & 1) found.push(id)
    }
    return found
  }

  return { forget, firstWithBit }
}

function withCapacity(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (numbers.length >= length) return numbers
  const larger = new Uint32Array(Math.max(length, numbers.length * 2))
  larger.set(numbers)
  return larger
}
