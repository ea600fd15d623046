import { beforeAll, expect, test } from 'vitest'
import { addHeat } from '#server/video/view/heat.queries.ts'
import { addView, addViewSource, addWatchSeconds } from '#server/video/view/view.queries.ts'
import type { Analytics, VideoAnalytics } from '#shared/schemas/desk/analytics.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { addVideos } from '#test/support/site-rows.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let video: number
let other: number

beforeAll(async () => {
  video = await site.addVideo(ann, { title: 'Ace', duration: 100 })
  other = await site.addVideo(ann, { title: 'Raid' })
  await site.addVideo(bob)
})

const { ask } = callsOf(site)

test('a channel without views has nothing to show', async () => {
  expect(await ask(ann, 'analytics.state')).toEqual({ hasVideos: true })
  const newcomer = await site.addMember('newcomer')
  expect(await ask(newcomer, 'analytics.state')).toEqual({ hasVideos: false })
  const empty = await ask<Analytics>(ann, 'analytics.channel', {})
  expect(empty).toMatchObject({ totals: { views: 0, watchSeconds: 0, likes: 0 }, sources: [] })
  expect(empty.days).toHaveLength(30)
})

test('views, watch time, likes and sources are summed for the channel and for each video', async () => {
  await site.db.transaction().execute(async (transaction) => {
    for (const videoId of [video, video, other]) {
      await addView(transaction, videoId)
      await addViewSource(transaction, { videoId, source: videoId === video ? 'search' : 'embed' })
    }
    await addWatchSeconds(transaction, [
      { videoId: video, seconds: 40 },
      { videoId: video, seconds: 2.5 },
      { videoId: other, seconds: 10 },
    ])
  })
  await ask(bob, 'like.set', { videoId: video, isLike: true })
  const channel = await ask<Analytics>(ann, 'analytics.channel', { days: 90 })
  const sums = { views: 3, watchSeconds: 52.5, likes: 1 }
  expect(channel).toMatchObject({
    totals: sums,
    sources: [
      { source: 'search', views: 2 },
      { source: 'embed', views: 1 },
    ],
    topVideos: [{ id: video, views: 2, watchSeconds: 42.5, likes: 1 }, { id: other }],
  })
  expect(channel.days.at(-1)).toMatchObject(sums)
  expect(await ask(ann, 'analytics.video', { id: other })).toMatchObject({
    title: 'Raid',
    totals: { views: 1, watchSeconds: 10, likes: 0 },
    retention: [],
  })
  expect(await ask(bob, 'analytics.channel', {})).toMatchObject({ totals: { views: 0 } })
})

test('a like taken back or turned round is counted no more', async () => {
  const likes = async () =>
    (await ask<Analytics>(ann, 'analytics.video', { id: video })).totals.likes
  await ask(bob, 'like.set', { videoId: video, isLike: false })
  expect(await likes()).toBe(0)
  await ask(bob, 'like.set', { videoId: video, isLike: true })
  expect(await likes()).toBe(1)
  await ask(bob, 'like.clear', { videoId: video })
  expect(await likes()).toBe(0)
})

test('where viewers leave is measured against the most watched part', async () => {
  await site.db.transaction().execute((transaction) =>
    addHeat(transaction, [
      { videoId: video, slice: 0, seconds: 8 },
      { videoId: video, slice: 1, seconds: 4 },
      { videoId: video, slice: 99, seconds: 2 },
    ]),
  )
  const { retention, durationSeconds } = await ask<VideoAnalytics>(ann, 'analytics.video', {
    id: video,
  })
  expect(durationSeconds).toBe(100)
  expect([retention[0], retention[1], retention[2], retention[99]]).toEqual([1, 0.5, 0, 0.25])
})

test('a channel of more videos than are read at once is summed and ranked as a whole', async () => {
  const many = await site.addMember('many')
  const day = new Date().toISOString().slice(0, 10)
  const videos = await addVideos(
    site.db,
    Array.from({ length: 1001 }, (_, index) => ({ userId: many.id, title: `Video ${index}` })),
  )
  const days = videos.map((videoId, index) => ({
    ...{ videoId, day, watchSeconds: 2 },
    count: index % 500 === 0 ? 100 + index : 1,
  }))
  const views = days.map(({ videoId, count }) => ({ videoId, day, count }))
  const watched = days.map(({ videoId, watchSeconds }) => ({ videoId, day, watchSeconds }))
  await site.db.insertInto('dailyViews').values(views).execute()
  await site.db.insertInto('videoDays').values(watched).execute()
  const { totals, topVideos } = await ask<Analytics & { topVideos: { id: number }[] }>(
    many,
    'analytics.channel',
    {},
  )
  expect(totals).toEqual({ views: 998 + 300 + 1500, watchSeconds: 2002, likes: 0 })
  const best = [videos[1000], videos[500], videos[0]]
  expect(topVideos.map(({ id }) => id).slice(0, 4)).toEqual([...best, videos[999]])
})
