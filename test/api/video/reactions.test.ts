import { expect, test } from 'vitest'
import { deleteTraces } from '#server/desk/account-deletion/member-traces.queries.ts'
import { finishLongWork } from '#server/platform/long-work/long-work.service.ts'
import { createRateLimits } from '#server/platform/request/rate-limits.ts'
import { react as reactTo } from '#server/video/reaction/reaction.service.ts'
import { dropReactions } from '#server/video/reaction/reaction-drop.service.ts'
import { moveReactions } from '#server/video/reaction/reaction-times.queries.ts'
import { type MoveTime, timeAfterCut, timeBeforeCut } from '#shared/cut-times.ts'
import { decodeCounts, REACTIONS_PER_VIDEO_MAX } from '#shared/reactions.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { addReactions } from '#test/support/many-reactions.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite()
const { owner, ann, bob } = setUpFileMembers(site, ['owner', 'ann', 'bob'])

const { ask, refusal } = callsOf(site)
/** Visitors may read an answer that is up to a second old. */
const list = (id: number, as: TestMember = owner) => ask<Reactions>(as, 'reaction.list', { id })
const react = (as: TestMember | undefined, id: number, second: number, kind = 'fire') =>
  ask<{ count: number }>(as, 'reaction.react', { id, second, kind })

test('reactions are counted by second and kind, without names', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  expect(await list(id)).toEqual({ bucketSeconds: 1, counts: {} })
  expect(await react(ann, id, 3.9)).toEqual({ count: 1, replaced: null })
  expect(await react(bob, id, 3)).toEqual({ count: 1, replaced: null })
  await react(bob, id, 5, 'gg')
  expect(await list(id)).toEqual({ bucketSeconds: 1, counts: { fire: '0002', gg: '000001' } })
  const { body } = await site.get(`/api/videos/${id}/reactions`, { as: owner })
  expect(body).not.toMatch(/ann|bob|user/i)
})

test('a reaction replaces an earlier one of the same member in the same second', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  await react(ann, id, 2, 'fire')
  expect(await react(ann, id, 2.5, 'skull')).toEqual({ count: 1, replaced: 'fire' })
  expect(await react(ann, id, 2, 'skull')).toEqual({ count: 1, replaced: 'skull' })
  expect(await list(id)).toEqual({ bucketSeconds: 1, counts: { skull: '001' } })
})

test('a member can react to a video 30 times, and can take all reactions back', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  for (let second = 0; second < 40; second += 1) {
    await ask(ann, 'reaction.react', { id, second, kind: 'wow' }).catch(() => undefined)
  }
  const refused = await refusal(ann, 'reaction.react', { id, second: 50, kind: 'wow' })
  expect(refused).toBe('422 You can react to a video at most 30 times.')
  // Changing the kind in a second that already has a reaction does not count as another one.
  await react(ann, id, 29, 'heart')
  const { counts } = await list(id)
  expect(counts).toEqual({ wow: '1'.repeat(29), heart: `${'0'.repeat(29)}1` })
  await react(bob, id, 50, 'wow')
  expect(await ask(ann, 'reaction.own', { id })).toEqual({ count: 30 })
  expect(await ask(ann, 'reaction.takeBack', { id })).toEqual({ count: 0 })
  expect(await ask(ann, 'reaction.own', { id })).toEqual({ count: 0 })
  expect(await ask(bob, 'reaction.own', { id })).toEqual({ count: 1 })
  expect((await list(id)).counts).toEqual({ wow: `${'0'.repeat(50)}1` })
  await react(ann, id, 50, 'wow')
})

test('taking reactions back does not let a member react to a video without end', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const other = await site.addVideo(owner, { duration: 600 })
  const limits = createRateLimits({ db: site.db, scale: 1 })
  const viewer = { id: bob.id, username: 'bob', displayName: 'Bob', isAdmin: false }
  const say = (videoId: number, second: number) =>
    reactTo({ ...site.deps, limits }, { id: videoId, second, kind: 'fire', viewer })
  for (let round = 0; round < 3; round += 1) {
    for (let second = 0; second < 20; second += 1) {
      await say(id, second)
      // Repeated, it is not another one.
      await say(id, second)
    }
    await ask(bob, 'reaction.takeBack', { id })
  }
  await expect(say(id, 0)).rejects.toMatchObject({
    kind: 'too-many',
    message: 'You can react to a video at most 30 times.',
  })
  expect(await say(other, 0)).toEqual({ count: 1, replaced: null })
  expect((await list(id)).counts).toEqual({})
})

test('10,000 calls of one script leave 30 reactions', { timeout: 60_000 }, async () => {
  const id = await site.addVideo(owner, { duration: 3600 })
  const calls = Array.from({ length: isLongForm ? 10_000 : 600 }, (_, index) => index)
  const statuses = new Map<number, number>()
  for (let at = 0; at < calls.length; at += 200) {
    const answers = calls.slice(at, at + 200).map((second) =>
      site.post(`/api/videos/${id}/reactions`, {
        as: ann,
        payload: { second: second % 3600, kind: 'fire' },
      }),
    )
    for (const { statusCode } of await Promise.all(answers)) {
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
  }
  expect([...statuses.keys()].sort()).toEqual([201, 422])
  const { counts } = await list(id)
  const sum = decodeCounts(counts.fire ?? '').reduce((total, count) => total + count, 0)
  expect(sum).toBe(REACTIONS_PER_VIDEO_MAX)
})

test('100,000 reactions to a video of an hour take at most 600 rows and 20 kB', async () => {
  const id = await site.addVideo(owner, { duration: 3600 })
  await addReactions(site.db, { videoId: id, durationSeconds: 3600, count: 100_000 })
  const rows = await site.db
    .selectFrom('reactionCounts')
    .select('second')
    .where('videoId', '=', id)
    .execute()
  expect(rows.length).toBeLessThanOrEqual(600)
  const answer = await site.get(`/api/videos/${id}/reactions`, { as: bob })
  expect(Buffer.byteLength(answer.body)).toBeLessThan(20_000)
  const { bucketSeconds, counts } = answer.json<Reactions>()
  expect(bucketSeconds).toBe(8)
  expect(Object.keys(counts).sort()).toEqual(['fire', 'gg', 'heart', 'laugh', 'skull', 'wow'])
  const etag = String(answer.headers.etag)
  const again = await site.get(`/api/videos/${id}/reactions`, {
    as: bob,
    headers: { 'if-none-match': etag },
  })
  expect(again.statusCode).toBe(304)
  // A video whose reactions are still being deleted can be deleted too.
  await ask(owner, 'video.delete', { id })
})

test('reactions are refused for bad input, hidden videos, visitors and where they are turned off', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const hidden = await site.addVideo(owner, { duration: 600, visibility: 'private' })
  const early = await site.addVideo(owner, { duration: 0 })
  const send = (payload: object, as = ann, video = id) =>
    site.post(`/api/videos/${video}/reactions`, { as, payload })
  for (const second of [-1, 1e9, Number.NaN, '3', null]) {
    expectSentence(await send({ second, kind: 'fire' }), { status: 400 })
  }
  expectSentence(await send({ second: 700, kind: 'fire' }), { status: 400, naming: 'end' })
  expectSentence(await send({ second: 3, kind: 'poop' }), { status: 400 })
  expectSentence(await send({ second: 3, kind: 'fire' }, ann, hidden), { status: 404 })
  expectSentence(await send({ second: 0, kind: 'fire' }, ann, early), { status: 409 })
  expect(await refusal(undefined, 'reaction.react', { id, second: 3, kind: 'fire' })).toMatch(
    /^401/,
  )
  await expect(list(hidden, ann)).rejects.toThrow()

  await react(ann, id, 3)
  await ask(owner, 'video.edit', { id, allowsReactions: false })
  expectSentence(await send({ second: 3, kind: 'gg' }), { status: 403, naming: 'turned off' })
  expect((await list(id)).counts).toEqual({})
  await ask(owner, 'video.edit', { id, allowsReactions: true })
  expect((await list(id)).counts).toEqual({ fire: '0001' })
})

test('seconds with reactions of several members become moments', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  await react(ann, id, 100)
  const moments = () => ask<Moment[]>(owner, 'moment.list', { id })
  expect(await moments()).toEqual([])
  await react(bob, id, 100, 'wow')
  expect(await moments()).toMatchObject([{ peakSeconds: 100, sources: ['reaction'], count: 0 }])
  const { heat } = await ask<{ heat: number[] }>(owner, 'video.playback', { id })
  expect(heat[16]).toBe(1)
  await ask(owner, 'video.edit', { id, allowsReactions: false })
  expect(await moments()).toEqual([])
})

test('reactions move with a cut, and those in dropped parts are deleted', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  for (const second of [5, 15, 25]) await react(ann, id, second)
  await react(bob, id, 25, 'gg')
  const move = timeAfterCut([
    { fromSeconds: 0, toSeconds: 10 },
    { fromSeconds: 20, toSeconds: 600 },
  ])
  await site.db
    .transaction()
    .execute((transaction) =>
      moveReactions(transaction, { videoId: id, move, durationSeconds: 590 }),
    )
  const fire = `${'0'.repeat(5)}1${'0'.repeat(9)}1`
  expect((await list(id)).counts).toEqual({ fire, gg: `${'0'.repeat(15)}1` })
  await ask(ann, 'reaction.takeBack', { id })
  expect((await list(id)).counts).toEqual({ gg: `${'0'.repeat(15)}1` })
})

test('reactions move back with the restored recording, and none is counted twice at a joint', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const parts = [
    { fromSeconds: 0, toSeconds: 10.1 },
    { fromSeconds: 20.9, toSeconds: 600 },
  ]
  const moveBy = (move: MoveTime, durationSeconds: number) =>
    site.db
      .transaction()
      .execute((transaction) => moveReactions(transaction, { videoId: id, move, durationSeconds }))
  // The two reactions around the joint move to the same second.
  for (const second of [3, 10, 15, 21, 22]) await react(ann, id, second)
  await moveBy(timeAfterCut(parts), 590)
  expect((await list(id)).counts.fire).toBe('000100000011')
  const rows = () =>
    site.db.selectFrom('videoReactions').select('second').where('videoId', '=', id).execute()
  expect(await rows()).toHaveLength(3)
  await moveBy(timeBeforeCut(parts), 600)
  expect((await list(id)).counts.fire).toMatch(/^0001000000[01]+$/)
  expect(await rows()).toHaveLength(3)
  await ask(ann, 'reaction.takeBack', { id })
  expect((await list(id)).counts).toEqual({})
})

test('a cut of a video with very many reactions moves only the counts and deletes rows in steps', async () => {
  const id = await site.addVideo(owner, { duration: 3600 })
  await addReactions(site.db, { videoId: id, durationSeconds: 3600, count: 6000 })
  const sumOf = async () =>
    Object.values((await list(id)).counts)
      .flatMap((text) => decodeCounts(text))
      .reduce((sum, count) => sum + count, 0)
  const before = await sumOf()
  const move = timeAfterCut([
    { fromSeconds: 0, toSeconds: 800 },
    { fromSeconds: 1600, toSeconds: 3600 },
  ])
  await site.db
    .transaction()
    .execute((transaction) =>
      moveReactions(transaction, { videoId: id, move, durationSeconds: 2800 }),
    )
  await site.db.updateTable('videos').set({ duration: 2800 }).where('id', '=', id).execute()
  const after = await sumOf()
  expect(after / before).toBeCloseTo(2800 / 3600, 1)
  expect(await refusal(ann, 'reaction.react', { id, second: 5, kind: 'gg' })).toBe(
    '409 The recording has just changed. Please try again in a moment.',
  )
  await finishLongWork(site.deps, [dropReactions])
  const rows = site.db.selectFrom('videoReactions').select('second').where('videoId', '=', id)
  expect(await rows.execute()).toEqual([])
  expect(await sumOf()).toBe(after)
  await react(ann, id, 5, 'gg')
})

test('reactions are deleted with the account of the member', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const carl = await site.addMember('carl')
  await react(carl, id, 7)
  await react(bob, id, 7)
  await deleteTraces(site.db, { userId: carl.id, withComments: true })
  expect((await list(id)).counts).toEqual({ fire: '00000001' })
})
