import { expect, test } from 'vitest'
import { replaceFoundMoments } from '#server/video/moment/moment.queries.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { multipart } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { owner, ann, bob } = setUpFileMembers(site, ['owner', 'ann', 'bob'])

const { ask } = callsOf(site)
const list = (id: number, as?: TestMember) => ask<Moment[]>(as, 'moment.list', { id })

/** As the ladder writes it. */
async function addChapter(videoId: number, atSeconds: number, title: string) {
  const found = { userId: null, source: 'chapter', weight: 1, createdAt: '' } as const
  await addRows(site.db, 'moments', { ...found, videoId, atSeconds, title })
}

test('marks of viewers are one moment, counted without names, and taken back by whoever made them', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const first = await ask<{ id: number }>(ann, 'moment.mark', { id, atSeconds: 100 })
  const again = await ask<{ id: number }>(ann, 'moment.mark', { id, atSeconds: 103 })
  expect(again).toEqual(first)
  const other = await ask<{ id: number }>(bob, 'moment.mark', { id, atSeconds: 104 })
  const [moment, ...others] = await list(id)
  expect(others).toEqual([])
  expect(moment).toMatchObject({ atSeconds: 92, endSeconds: 106, sources: ['mark'], count: 2 })
  expect(Object.keys(moment ?? {})).not.toContain('userId')

  await expect(ask(bob, 'moment.unmark', first)).rejects.toThrow('There is no such mark of yours.')
  await ask(ann, 'moment.unmark', first)
  expect(await list(id)).toMatchObject([{ count: 1 }])
  await ask(bob, 'moment.unmark', other)
  expect(await list(id)).toEqual([])
})

test('times in comments speak for a moment, and the player gets its curve', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const playback = () =>
    ask<{ heat: number[]; moments: Moment[] }>(undefined, 'video.playback', { id })
  expect(await playback()).toMatchObject({ heat: [], moments: [] })
  await ask(ann, 'comment.create', { videoId: id, content: 'That shot at 5:00, unreal' })
  const { heat, moments } = await playback()
  expect(moments).toMatchObject([{ peakSeconds: 300, sources: ['comment'] }])
  expect(heat.indexOf(1)).toBe(50)
  expect(heat[10]).toBe(0)
})

test('the owner forgets a moment for everybody, and brings it back; only they read its title', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  await addChapter(id, 300, 'Ace on Mirage')
  expect(await list(id, owner)).toMatchObject([{ title: 'Ace on Mirage' }])
  expect(await list(id, ann)).toMatchObject([{ title: null, sources: ['chapter'] }])
  const forgotten = { id, atSeconds: 300 }
  await expect(ask(ann, 'moment.forget', forgotten)).rejects.toThrow('Only its owner')
  const row = await ask<{ id: number }>(owner, 'moment.forget', forgotten)
  expect(await list(id)).toEqual([])
  await ask(owner, 'moment.unmark', row)
  expect(await list(id)).toHaveLength(1)
})

test('a mark behind the end, and one of a video that is not to be seen, are refused', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const hidden = await site.addVideo(owner, { duration: 600, visibility: 'private' })
  await expect(ask(ann, 'moment.mark', { id, atSeconds: 700 })).rejects.toThrow('past the end')
  await expect(ask(ann, 'moment.mark', { id, atSeconds: -1 })).rejects.toThrow()
  await expect(ask(ann, 'moment.mark', { id: hidden, atSeconds: 1 })).rejects.toThrow()
  await expect(ask(undefined, 'moment.mark', { id, atSeconds: 1 })).rejects.toThrow()
  expect(await list(id)).toEqual([])
})

const marker = (seconds: number, title: string, type = 'event') => ({
  ...{ time: `${seconds * 1000}`, type, title, possible_clip: 2 },
})
const sendTimeline = (id: number, as: TestMember, entries: object[]) =>
  site.call({
    ...{ as, method: 'POST', url: `/api/videos/${id}/moments/timeline` },
    ...multipart({ timeline: Buffer.from(JSON.stringify({ daterecorded: '1', entries })) }),
  })

test('a timeline of Steam becomes moments, in place of an earlier one, and stays when the ladder is made', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  await addChapter(id, 500, 'Pause')
  await ask(ann, 'moment.mark', { id, atSeconds: 50 })
  const first = await sendTimeline(id, owner, [marker(100, 'First'), marker(599.9, 'Last')])
  expect(first.json()).toEqual({ count: 2 })
  const entries = [marker(300, 'Ace on Mirage'), marker(300, '', 'gamemode'), marker(700, 'Later')]
  expect((await sendTimeline(id, owner, entries)).json()).toEqual({ count: 1 })
  const titles = (moments: Moment[]) => moments.map(({ title }) => title)
  expect(titles(await list(id, owner))).toEqual([null, 'Ace on Mirage', 'Pause'])
  expect(titles(await list(id, ann))).toEqual([null, null, null])
  await site.db
    .transaction()
    .execute((transaction) => replaceFoundMoments(transaction, { videoId: id, moments: [] }))
  expect(titles(await list(id, owner))).toEqual([null, 'Ace on Mirage'])
})

test('a timeline that marks nothing, is none, or is of a video that does not play yet changes nothing; one is taken back', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const early = await site.addVideo(owner, { duration: 0 })
  await sendTimeline(id, owner, [marker(100, 'First')])
  expectSentence(await sendTimeline(id, owner, [marker(600, 'Behind')]), { status: 422 })
  expectSentence(await sendTimeline(id, owner, [{ type: 'event', time: '-1' }]), { status: 422 })
  expectSentence(await sendTimeline(early, owner, [marker(1, 'Soon')]), { status: 409 })
  expectSentence(await sendTimeline(id, ann, [marker(1, 'Mine')]), { status: 403 })
  expect(await list(id, owner)).toMatchObject([{ title: 'First' }])
  await expect(ask(ann, 'moment.removeTimeline', { id })).rejects.toThrow('Only its owner')
  await ask(owner, 'moment.removeTimeline', { id })
  expect(await list(id, owner)).toEqual([])
  await expect(ask(owner, 'moment.removeTimeline', { id })).rejects.toThrow('no timeline')
})
