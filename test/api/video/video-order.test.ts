import { beforeAll, expect, test } from 'vitest'
import { sortVideoIds } from '#server/discovery/search/fts5/matches.queries.ts'
import { createVideoOrder } from '#server/discovery/search/fts5/video-order.ts'
import type { VideoOrder } from '#server/discovery/search/search-engine.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'

/** More than are read at first. */
const VIDEOS = 1300
const DAY_MS = 86_400_000

const site = setUpTestSite()
let all: number[]
beforeAll(async () => {
  const ann = await site.addMember('ann')
  all = await site.db.transaction().execute(async (transaction) => {
    const ids: number[] = []
    for (let at = 0; at < VIDEOS; at++) {
      const publishedAt = new Date(((at * 577) % 97) * DAY_MS).toISOString()
      ids.push(await site.addVideo(ann, { viewCount: (at * 7919) % 13, publishedAt }, transaction))
    }
    return ids
  })
})

/** Every so many of the videos, and how many of them are wanted. */
const CASES = [
  [1, 5],
  [1, VIDEOS + 1],
  [7, 48],
  [7, 1000],
  [400, 3],
  [400, 48],
] as const

function toBits(ids: number[]): Uint8Array {
  const bits = new Uint8Array(ids.length > 0 ? (Math.max(...ids) >> 3) + 1 : 0)
  for (const id of ids) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7))
  return bits
}

async function expectSorted(order: VideoOrder): Promise<void> {
  const known = createVideoOrder(site.db, { audience: 'everybody', order })
  for (const [step, limit] of CASES) {
    const ids = all.filter((_, at) => at % step === 0)
    const sorted = await sortVideoIds(site.db, { ids, audience: 'everybody', order, limit })
    const fresh = createVideoOrder(site.db, { audience: 'everybody', order })
    expect(await fresh.firstWithBit(toBits(ids), limit)).toEqual(sorted)
    expect(await known.firstWithBit(toBits(ids), limit)).toEqual(sorted)
  }
  expect(await known.firstWithBit(toBits([]), 48)).toEqual([])
}

test.skipIf(isOnPostgres)(
  'the first of any videos are those that a look at each would put first',
  async () => {
    await expectSorted('views')
    await expectSorted('date')
  },
)

test.skipIf(isOnPostgres)('an order that is forgotten is read again', async () => {
  const order = createVideoOrder(site.db, { audience: 'everybody', order: 'views' })
  const best = all.slice(0, 2)
  expect(await order.firstWithBit(toBits(all), 1)).not.toEqual([best[1]])
  await site.db.updateTable('videos').set({ viewCount: 99 }).where('id', 'in', best).execute()
  order.forget()
  expect(await order.firstWithBit(toBits(all), 1)).toEqual([best[1]])
  expect(await order.firstWithBit(toBits(best), 2)).toEqual(best.toReversed())
})
