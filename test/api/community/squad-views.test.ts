import { expect, test } from 'vitest'
import { deleteLoneSquadViews } from '#server/community/squad-view/squad-view.queries.ts'
import { SQUAD_NOTICES_PER_DAY } from '#shared/limits.ts'
import type { SquadView } from '#shared/schemas/squad-view.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { makeMatchRecording, makeScene } from '#test/support/match-recordings.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows, changeRows } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite({ renditionHeights: [] })
const { ann, bob, cleo, dave } = setUpMembers(site, ['ann', 'bob', 'cleo', 'dave'])
const admin = setUpAdmin(site)
const { ask, refusal } = callsOf(site)

const NOT_FOUND = '404 This squad view could not be found, or you may not watch it.'

const record = (owner: TestMember, title: string, fields = {}) =>
  site.addVideo(owner, {
    title,
    category: 'Rust',
    duration: 60,
    videoUrl: '/media/a/video.mp4',
    ...fields,
  })
const read = (as: TestMember | undefined, id: number) => ask<SquadView>(as, 'squadView.get', { id })
const propose = async (as: TestMember, videoId: number, ...otherIds: number[]) =>
  (await ask<{ id: number }>(as, 'squadView.propose', { videoId, otherIds })).id
const answer = (as: TestMember, id: number, videoId: number, isAccepted = true) =>
  ask(as, 'squadView.answer', { id, videoId, isAccepted })
const bellOf = async (as: TestMember) => {
  const page = await ask<{ items: { title: string; videoId: number; sourceUser: unknown }[] }>(
    as,
    'notification.browse',
    {},
  )
  return page.items.filter(({ title }) => title.includes('same match'))
}
const ofVideo = (as: TestMember | undefined, id: number) =>
  ask<{ id: number | null; others: Video[]; isAsked: boolean }>(as, 'squadView.ofVideo', { id })

/** A view of ann, bob and cleo, whose recordings begin at these seconds. */
async function openView(places = [0, 2.5, 4], fields: object[] = []) {
  const owners = [ann, bob, cleo]
  const ids: number[] = []
  for (const [index, owner] of owners.entries()) {
    ids.push(await record(owner, `Raid of ${owner.username}`, fields[index]))
  }
  const squadViewId = await addRow(site.db, 'squadViews', { createdAt: '2026-01-01T00:00:00.000Z' })
  for (const [index, videoId] of ids.entries()) {
    const { mediaKey } = await site.db
      .selectFrom('videos')
      .select('mediaKey')
      .where('id', '=', videoId)
      .executeTakeFirstOrThrow()
    const row = { squadViewId, videoId, mediaKey, state: 'in', alignment: 'sound' } as const
    await addRows(site.db, 'squadViewVideos', { ...row, offsetSeconds: places[index] ?? 0 })
  }
  return { id: squadViewId, ids }
}

test('owners of other recordings are asked, and what they accept is in the view', async () => {
  const [own, other, third] = [
    await record(ann, 'My raid'),
    await record(bob, 'Our raid'),
    await record(cleo, 'Raid'),
  ]
  const id = await propose(ann, own, other, third)
  expect(await bellOf(bob)).toMatchObject([
    { title: 'Is “Our raid” of the same match as “My raid”?', videoId: other, sourceUser: null },
  ])
  expect(await refusal(undefined, 'squadView.get', { id })).toBe(NOT_FOUND)
  expect(await refusal(dave, 'squadView.get', { id })).toBe(NOT_FOUND)
  expect(await ofVideo(bob, other)).toMatchObject({ id, isAsked: true })
  expect(await ofVideo(dave, own)).toEqual({ id: null, others: [], isAsked: false })

  const asked = await read(bob, id)
  expect(asked.mayEdit).toBe(true)
  expect(
    asked.recordings.map(({ video, state, mayAnswer, alignment }) => [
      ...[video.title, state, mayAnswer, alignment],
    ]),
  ).toEqual([
    ['My raid', 'in', false, 'waiting'],
    ['Our raid', 'asked', true, 'waiting'],
    ['Raid', 'asked', false, 'waiting'],
  ])
  await answer(bob, id, other)
  await answer(cleo, id, third, false)
  expect((await read(ann, id)).recordings.map(({ video }) => video.title)).toEqual([
    ...['My raid', 'Our raid'],
  ])
  expect(await refusal(ann, 'squadView.propose', { videoId: own, otherIds: [third] })).toBe(
    '409 The owner of “Raid” does not want it in this squad view.',
  )
  expect(await refusal(dave, 'squadView.get', { id })).toBe(NOT_FOUND)
  const places = [
    { videoId: own, offsetSeconds: 1 },
    { videoId: other, offsetSeconds: 3.25 },
  ]
  await ask(bob, 'squadView.place', { id, places })
  const open = await read(dave, id)
  expect(open.mayEdit).toBe(false)
  expect(open.recordings.map(({ offsetSeconds }) => offsetSeconds)).toEqual([0, 2.25])
  expect(await ofVideo(undefined, own)).toMatchObject({ id, others: [{ id: other }] })
})

test('whoever declines is told of a few more questions a day, and no more', async () => {
  const own = await record(ann, 'Asked and asked')
  const theirs = await record(bob, 'Left alone')
  const before = (await bellOf(bob)).length
  for (let time = 0; time < SQUAD_NOTICES_PER_DAY + 2; time += 1) {
    await answer(bob, await propose(ann, own, theirs), theirs, false)
  }
  expect((await bellOf(bob)).length - before).toBeLessThanOrEqual(SQUAD_NOTICES_PER_DAY)
})

test('a recording is offered to the view that others have, whose owners decide', async () => {
  const { id, ids } = await openView()
  const own = await record(dave, 'From the hill')
  expect(await propose(dave, own, ids[0] ?? 0)).toBe(id)
  expect((await read(ann, id)).recordings.at(-1)).toMatchObject({
    ...{ state: 'offered', mayAnswer: true },
  })
  expect((await read(cleo, id)).recordings).toHaveLength(4)
  expect((await read(undefined, id)).recordings).toHaveLength(3)
  const offered = { id, videoId: own, isAccepted: true }
  const notYours = '403 This is decided already, or others decide it.'
  expect(await refusal(dave, 'squadView.answer', offered)).toBe(notYours)
  const notIn = '403 Only those whose recordings are in this squad view can do this.'
  const places = [{ videoId: own, offsetSeconds: 1 }]
  expect(await refusal(dave, 'squadView.place', { id, places })).toBe(notIn)
  expect(await bellOf(bob)).toHaveLength(1)
  await answer(bob, id, own)
  await ask(dave, 'squadView.place', { id, places })
  expect((await read(undefined, id)).recordings).toHaveLength(4)
})

test('nobody sees a recording because it is in a view', async () => {
  const { id, ids } = await openView([0, 1, 2], [{ visibility: 'private' }, {}, {}])
  const titles = async (as: TestMember | undefined) =>
    (await read(as, id)).recordings.map(({ video }) => video.id)
  expect(await titles(undefined)).toEqual(ids.slice(1))
  expect(await titles(dave)).toEqual(ids.slice(1))
  // An owner in the view has no right to the recordings of others.
  expect(await titles(bob)).toEqual(ids.slice(1))
  expect(await titles(ann)).toEqual(ids)
  expect(await titles(admin)).toEqual(ids)
  // Times are the same for all, since rooms and cut lists use them.
  expect((await read(undefined, id)).recordings[0]?.offsetSeconds).toBe(1)
  await changeRows(site.db, 'videos', {
    where: { id: ids[1] ?? 0 },
    values: { visibility: 'members' },
  })
  expect(await refusal(undefined, 'squadView.get', { id })).toBe(NOT_FOUND)
  expect(await ofVideo(undefined, ids[2] ?? 0)).toEqual({ id: null, others: [], isAsked: false })
  expect(await titles(dave)).toEqual(ids.slice(1))
})

test('owners take their own recordings out, and a view with one left is gone', async () => {
  const { id, ids } = await openView()
  const [own = 0, other = 0, third = 0] = ids
  expect(await refusal(bob, 'squadView.remove', { id, videoId: own })).toBe(
    '403 Only its owner can take this recording out.',
  )
  await ask(cleo, 'squadView.remove', { id, videoId: third })
  expect((await read(undefined, id)).recordings).toHaveLength(2)
  await ask(ann, 'video.delete', { id: own })
  expect(await refusal(undefined, 'squadView.get', { id })).toBe(NOT_FOUND)
  expect(await refusal(bob, 'squadView.get', { id })).toBe(NOT_FOUND)
  await until(
    async () =>
      (
        await site.db
          .selectFrom('squadViewVideos')
          .where('videoId', '=', own)
          .select('state')
          .execute()
      ).length === 0,
  )
  await deleteLoneSquadViews(site.db)
  const rows = await site.db.selectFrom('squadViewVideos').where('videoId', '=', other)
  expect(await rows.select('state').execute()).toEqual([])
})

test('a room opens from a view, and shows each member only what they may watch', async () => {
  const { id, ids } = await openView([0, 2, 4], [{}, {}, { visibility: 'members' }])
  const { token } = await ask<{ token: string }>(ann, 'watchRoom.create', {
    ...{ squadViewId: id, position: 5 },
  })
  await ask(ann, 'watchRoom.edit', { token, allowsGuests: true })
  const shown = async (as: TestMember | undefined) => {
    const { items } = await ask<WatchRoom>(as, 'watchRoom.get', { token })
    return items.map(({ video, squadView }) => [
      ...[video?.id, squadView?.recordings.map((recording) => recording.video.id)],
    ])
  }
  expect(await shown(dave)).toEqual([[ids[0], ids]])
  expect(await shown(undefined)).toEqual([[ids[0], ids.slice(0, 2)]])
  const { playback } = await ask<WatchRoom>(ann, 'watchRoom.get', { token })
  const { itemId } = playback
  const at = await ask<number>(undefined, 'watchRoom.clock')
  const change = { token, itemId, rate: 1, isPaused: true, at }
  const moved = await ask(ann, 'watchRoom.control', { ...change, position: 500 })
  expect(moved).toMatchObject({ position: 64 })
  await changeRows(site.db, 'videos', {
    where: { id: ids[0] ?? 0 },
    values: { visibility: 'private' },
  })
  expect(await shown(dave)).toEqual([[ids[1], ids.slice(1)]])
  expect(await shown(undefined)).toEqual([[undefined, undefined]])
  expect(await refusal(dave, 'watchRoom.create', { squadViewId: id + 1000 })).toBe(NOT_FOUND)
})

test('a view is aligned whose recordings are asked for by another view, too', async () => {
  const wanted = await record(cleo, 'Raid of all')
  await propose(ann, await record(ann, 'First'), wanted)
  const own = await record(bob, 'Second')
  await propose(bob, own, wanted)
  const jobs = await site.db.selectFrom('jobs').select('videoId').where('kind', '=', 'align')
  const videoIds = (await jobs.execute()).map(({ videoId }) => videoId)
  expect([videoIds.includes(own), videoIds.includes(wanted)]).toEqual([true, false])
})

test('a place counts for its recording only', async () => {
  const { id, ids } = await openView()
  await changeRows(site.db, 'videos', {
    where: { id: ids[2] ?? 0 },
    values: { mediaKey: 'f'.repeat(32) },
  })
  expect((await read(undefined, id)).recordings).toHaveLength(2)
  expect((await read(cleo, id)).recordings[2]).toMatchObject({ offsetSeconds: null })
})

test('what cannot be is refused with a sentence', async () => {
  const { id, ids } = await openView()
  const [own, lone] = [await record(dave, 'Mine'), await record(dave, 'Another')]
  const tries: [TestMember, string, object, string][] = [
    [
      dave,
      'propose',
      { videoId: own, otherIds: [own] },
      '400 Choose a recording other than this one.',
    ],
    [dave, 'propose', { videoId: own, otherIds: [] }, '400 Choose at least one recording.'],
    [
      dave,
      'propose',
      { videoId: ids[0], otherIds: [own] },
      '403 Only its owner can change this video.',
    ],
    [ann, 'alignAgain', { id: id + 1000 }, NOT_FOUND],
    [
      dave,
      'alignAgain',
      { id },
      '403 Only those whose recordings are in this squad view can do this.',
    ],
    [
      ann,
      'place',
      { id, places: [{ videoId: own, offsetSeconds: 1 }] },
      '404 This recording is not in the squad view.',
    ],
    [
      ann,
      'answer',
      { id, videoId: ids[1], isAccepted: true },
      '403 This is decided already, or others decide it.',
    ],
  ]
  for (const [as, name, input, sentence] of tries) {
    expect(await refusal(as, `squadView.${name}`, input)).toBe(sentence)
  }
  await propose(dave, own, lone)
  expect(
    await refusal(dave, 'squadView.propose', { videoId: own, otherIds: ids.slice(0, 1) }),
  ).toBe(`409 The recording “Raid of ${ann.username}” is part of another squad view.`)
  const hidden = await record(bob, 'Secret', { visibility: 'private' })
  expect(await refusal(dave, 'squadView.propose', { videoId: own, otherIds: [hidden] })).toBe(
    '404 This video could not be found or is no longer available.',
  )
  const more = []
  for (let count = 0; count < 7; count += 1) more.push(await record(cleo, `Raid ${count}`))
  expect(await refusal(dave, 'squadView.propose', { videoId: own, otherIds: more })).toBe(
    '409 A squad view has at most 8 recordings.',
  )
})

test('recordings of the same time and game are proposed, and of those who played along', async () => {
  const names = { own: 'Rust 2026.05.01 - 22.10.33.02', near: 'Rust 2026.05.01 - 22.14.01.01' }
  const own = await record(ann, names.own)
  const near = await record(bob, names.near)
  const friend = await record(cleo, 'Heli down')
  await addRows(site.db, 'participants', { videoId: own, userId: cleo.id, state: 'named' })
  await record(bob, 'Rust 2026.05.01 - 19.00.01.01')
  await record(bob, names.near, { category: 'CS2' })
  await record(bob, names.near, { visibility: 'private' })
  await record(bob, names.near, { isAnonymous: 1 })
  await record(bob, 'Something else')
  const found = await ask<Video[]>(ann, 'squadView.likely', { id: own })
  expect(found.map(({ id }) => id)).toEqual([near, friend])
  expect(await refusal(bob, 'squadView.likely', { id: own })).toBe(
    '403 Only its owner can change this video.',
  )
})

test('recordings are aligned by their sound, and others by hand', async () => {
  const scene = makeScene(1, 40)
  const upload = async (
    as: TestMember,
    seed: number,
    [fromSeconds, toSeconds]: [number, number],
  ) => {
    const sound = seed === 3 ? makeScene(99, 40) : scene
    const range = { scene: sound, fromSeconds, toSeconds }
    const level = { gainDecibels: -6, noiseDecibels: -28 }
    const path = await makeMatchRecording(site.dataFolder, { ...range, ...level, seed })
    const metadata = { title: `Raid ${seed}`, category: 'Rust' }
    const uploadId = await sendFile({ site, as }, { path, metadata })
    return (await complete({ site, as }, { uploadId })).json().videoId as number
  }
  const one = await upload(ann, 1, [2, 38])
  const two = await upload(bob, 2, [0, 40])
  const other = await upload(cleo, 3, [0, 30])
  const id = await propose(ann, one, two, other)
  await answer(bob, id, two)
  await answer(cleo, id, other)
  await site.deps.jobs.start()
  const rowsOf = async () => (await read(ann, id)).recordings
  await until(async () => (await rowsOf()).every(({ alignment }) => alignment !== 'waiting'))
  expect(await rowsOf()).toMatchObject([
    { alignment: 'sound', offsetSeconds: expect.closeTo(2, 1) },
    { alignment: 'sound', offsetSeconds: 0 },
    { alignment: 'none', offsetSeconds: null },
  ])
  const places = [{ videoId: other, offsetSeconds: 1.5 }]
  await ask(bob, 'squadView.place', { id, places })
  expect((await rowsOf())[2]).toMatchObject({ alignment: 'hand', offsetSeconds: 1.5 })

  const late = await upload(dave, 4, [5, 40])
  await propose(dave, late, one)
  await answer(ann, id, late)
  await until(async () => (await rowsOf())[3]?.alignment === 'sound')
  expect((await rowsOf()).map(({ offsetSeconds }) => offsetSeconds)).toEqual([
    ...[expect.closeTo(2, 1), 0, 1.5, expect.closeTo(5, 1)],
  ])
  await site.deps.jobs.stop()
})
