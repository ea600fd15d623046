import { beforeAll, expect, test } from 'vitest'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { answerOf, callProcedure } from '#test/support/procedure-call.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

const VIDEOS = 600

const site = setUpTestSite()
let ann: TestMember
let bob: TestMember
let ids: number[]

beforeAll(async () => {
  ann = await site.addMember('ann')
  bob = await site.addMember('bob')
  const now = new Date().toISOString()
  const made = await site.db
    .insertInto('videos')
    .values(
      Array.from({ length: VIDEOS }, (_, index) => ({
        ...{ userId: ann.id, mediaKey: `ranked-${index}`, title: 'Ranked', publishedAt: now },
        processingState: 'ready' as const,
      })),
    )
    .returning('id')
    .execute()
  ids = made.map(({ id }) => id)
  const day = now.slice(0, 10)
  const views = ids.map((videoId, index) => ({ videoId, day, count: VIDEOS - index }))
  await site.db.insertInto('dailyViews').values(views).execute()
})

const trending = async (as: TestMember | undefined = bob) => {
  const found = await answerOf<Video[]>(site, { as, name: 'explore.trending', input: {} })
  return found.map(({ id }) => id)
}

test('the ranking of a large site is shared, and leaves out what one may not or does not want to see', async () => {
  expect(await trending()).toEqual(ids.slice(0, 48))
  const [first = 0, second = 0] = ids
  await callProcedure(site, { as: bob, name: 'video.hide', input: { id: first } })
  expect(await trending()).toEqual(ids.slice(1, 49))
  expect(await trending(ann)).toEqual(ids.slice(0, 48))
  const change = { visibility: 'private' as const }
  await site.db.updateTable('videos').set(change).where('id', '=', second).execute()
  expect(await trending()).toEqual(ids.slice(2, 50))
  await site.db
    .updateTable('videos')
    .set({ visibility: 'public' })
    .where('id', '=', second)
    .execute()
})

test('an old ranking is answered while the thread makes the next one', async () => {
  await trending(ann)
  const last = ids.at(-1) ?? 0
  const views = { count: VIDEOS * 10 }
  await site.db.updateTable('dailyViews').set(views).where('videoId', '=', last).execute()
  expect((await trending(ann))[0]).toBe(ids[0])
  site.passTime(11)
  expect((await trending(ann))[0]).toBe(ids[0])
  await until(async () => (await trending(ann))[0] === last)
})

test('the tags of a large site are counted by the thread too, without those of no video that is listed', async () => {
  const tagged = (count: number, tag: string) =>
    site.db
      .updateTable('videos')
      .set({ tags: JSON.stringify([tag]) })
      .where('id', 'in', ids.slice(0, count))
      .execute()
  const tags = () => answerOf(site, { as: bob, name: 'explore.tags', input: undefined })
  await tagged(3, 'aim')
  expect(await tags()).toEqual([{ tag: 'aim', count: 3 }])
  await tagged(2, 'lag')
  expect(await tags()).toEqual([{ tag: 'aim', count: 3 }])
  site.passTime(11)
  await tags()
  await until(async () => JSON.stringify(await tags()).includes('lag'))
  await tagged(3, 'win')
  expect(await tags()).toEqual([])
})
