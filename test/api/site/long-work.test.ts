import { expect, test } from 'vitest'
import { longWorks } from '#server/long-works.ts'
import { type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Place } from '#server/platform/long-work/long-work.queries.ts'
import { finishLongWork, STEP_ROWS } from '#server/platform/long-work/long-work.service.ts'
import { DELETED_AT_A_TIME, listDeletingVideos } from '#server/video/video/video-rows.queries.ts'
import { countTurns } from '#test/support/count-turns.ts'
import { addComments, addSubscribers } from '#test/support/many-rows.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const FANS = STEP_ROWS * 2 + 50
const COMMENTS = STEP_ROWS * 2 + 50

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, statusOf } = callsOf(site)
const admin = setUpAdmin(site)
const { ann, bob, eve } = setUpMembers(site, ['ann', 'bob', 'eve'])

const finish = () => finishLongWork(site.deps, longWorks)
const left = () => listRows(site.db, 'longWork')
const told = (videoId: number) => listRows(site.db, 'notifications', { videoId, type: 'upload' })
const seenBy = async (member: TestMember) => {
  const input = { userId: member.id }
  return (await ask<{ items: { title: string }[] }>(member, 'notification.list', input)).items
}
const commentsSeen = async (videoId: number, as?: TestMember) =>
  (await ask<{ items: object[] }>(as, 'comment.list', { id: videoId, limit: 50 })).items.length
/** By a member, as visitors are answered from memory for a second. */
const countOf = (id: number) => ask<number>(bob, 'comment.count', { id })

/** `bob` first. */
async function addFans(channel: TestMember): Promise<void> {
  await ask(bob, 'subscription.create', { channelId: channel.id })
  await addSubscribers(site.db, { channelId: channel.id, count: FANS - 1 })
}

test('very many subscribers are told in steps, each once, and none who came later', async () => {
  await addFans(ann)
  const id = await site.addVideo(ann, { visibility: 'private' })
  await ask(ann, 'video.edit', { id, visibility: 'public' })
  expect(await told(id)).toHaveLength(STEP_ROWS)
  expect(await seenBy(bob)).toHaveLength(1)
  await ask(eve, 'subscription.create', { channelId: ann.id })
  expect(await countTurns(finish)).toBeGreaterThanOrEqual(2)
  const rows = await told(id)
  expect(rows).toHaveLength(FANS)
  expect(new Set(rows.map(({ userId }) => userId)).size).toBe(FANS)
  expect(rows.filter(({ userId }) => userId === eve.id)).toEqual([])
  expect(await left()).toEqual([])
})

test('a video taken back while subscribers are told is told to nobody', async () => {
  await addFans(ann)
  const id = await site.addVideo(ann, { visibility: 'private' })
  await ask(ann, 'video.edit', { id, visibility: 'public' })
  await ask(admin, 'moderation.hideVideo', { id, reason: 'Not this' })
  await finish()
  expect(await told(id)).toHaveLength(1)
  await ask(admin, 'moderation.unhideVideo', { id })
  await finish()
  expect((await told(id)).filter(({ sourceUserId }) => sourceUserId === ann.id)).toHaveLength(FANS)
  expect(await left()).toEqual([])
})

test('a ban stops further notifications of the member’s video and post', async () => {
  await addFans(ann)
  const id = await site.addVideo(ann, { visibility: 'private' })
  await ask(ann, 'video.edit', { id, visibility: 'public' })
  const post = await ask<{ id: number }>(ann, 'post.create', { content: 'Come and watch' })
  await ask(admin, 'moderation.ban', { userId: ann.id, reason: 'Spam' })
  await finish()
  const posts = await listRows(site.db, 'notifications', { postId: post.id })
  expect([(await told(id)).length, posts.length]).toEqual([STEP_ROWS, STEP_ROWS])
  expect(await left()).toEqual([])
})

test('work that fails is retried later, while other work continues', async () => {
  await addFans(ann)
  const [first, second] = [
    await site.addVideo(ann, { visibility: 'private' }),
    await site.addVideo(ann, { visibility: 'private' }),
  ]
  for (const id of [first, second]) await ask(ann, 'video.edit', { id, visibility: 'public' })
  let tries = 0
  const works = longWorks.map((work) => ({
    ...work,
    async step(db: DatabaseTransaction, place: Place) {
      if (place.targetId !== first) return work.step(db, place)
      tries++
      throw new Error('The disk is full.')
    },
  }))
  const retries = new Map()
  await expect(finishLongWork(site.deps, works, retries)).rejects.toThrow('The disk is full.')
  // There is more than one on a slow machine, where the retry is due before the other work is finished.
  const before = tries
  expect([before > 0, retries.size]).toEqual([true, 1])
  for (const retry of retries.values()) retry.at = Number.POSITIVE_INFINITY
  await finishLongWork(site.deps, works, retries)
  expect(tries).toBe(before)
  expect([(await told(first)).length, (await told(second)).length]).toEqual([STEP_ROWS, FANS])
})

test('who published a video that became anonymous is named to nobody at once', async () => {
  await addFans(ann)
  // Told last, as a late step comes to it.
  const last = await site.addMember('zoe')
  await ask(last, 'subscription.create', { channelId: ann.id })
  const id = await site.addVideo(ann, { visibility: 'private' })
  await ask(ann, 'video.edit', { id, visibility: 'public' })
  await finish()
  expect(await seenBy(last)).toHaveLength(1)
  await ask(ann, 'video.edit', { id, isAnonymous: true })
  expect((await told(id)).map(({ userId }) => userId)).toContain(last.id)
  expect(await seenBy(last)).toEqual([])
  expect(await statusOf(last, 'video.get', { id })).toBe(200)
  await finish()
  expect(await told(id)).toEqual([])
  expect(await left()).toEqual([])
})

test('a subscriber whom a post mentions hears of it once, whichever step comes to them', async () => {
  await addFans(ann)
  await ask(eve, 'subscription.create', { channelId: ann.id })
  const { username } = await readRow(site.db, 'users', { id: eve.id })
  const post = await ask<{ id: number }>(ann, 'post.create', { content: `For @${username}` })
  await finish()
  const rows = await listRows(site.db, 'notifications', { postId: post.id })
  expect(rows.filter(({ userId }) => userId === eve.id).map(({ type }) => type)).toEqual([
    'subscription',
  ])
  expect(rows).toHaveLength(FANS + 1)
})

test('a ban hides very many comments at once, and its end shows them', async () => {
  const id = await site.addVideo(ann)
  await addComments(site.db, { videoId: id, userId: eve.id, count: COMMENTS })
  await addComments(site.db, { videoId: id, userId: bob.id, count: 2 })
  await addRows(site.db, 'comments', {
    ...{ videoId: id, userId: eve.id, content: 'Hidden before', createdAt: timestamp() },
    withheld: 'hidden',
  })
  expect(await countOf(id)).toBe(COMMENTS + 2)
  await ask(admin, 'moderation.ban', { userId: eve.id, reason: 'Spam' })
  expect(await left()).not.toEqual([])
  expect(await commentsSeen(id)).toBe(2)
  expect(await commentsSeen(id, bob)).toBe(2)
  await finish()
  expect([await commentsSeen(id), await countOf(id)]).toEqual([2, 2])
  expect(await left()).toEqual([])
  await ask(admin, 'moderation.unban', { userId: eve.id })
  await finish()
  expect([await commentsSeen(id, bob), await countOf(id)]).toEqual([50, COMMENTS + 2])
  expect(await listRows(site.db, 'comments', { withheld: 'hidden' })).toHaveLength(1)
  expect(await left()).toEqual([])
})

test('a ban that is lifted before it has come to all comments hides none', async () => {
  const id = await site.addVideo(ann)
  await addComments(site.db, { videoId: id, userId: eve.id, count: COMMENTS })
  await ask(admin, 'moderation.ban', { userId: eve.id, reason: 'Spam' })
  await ask(admin, 'moderation.unban', { userId: eve.id })
  expect(await commentsSeen(id, bob)).toBe(50)
  await finish()
  expect(await countOf(id)).toBe(COMMENTS)
  expect(await listRows(site.db, 'comments', { userId: eve.id, withheld: 'banned' })).toEqual([])
})

test('a video with very many comments is gone at once, and its rows in steps', async () => {
  const id = await site.addVideo(ann)
  const first = { videoId: id, userId: bob.id, content: 'First', createdAt: timestamp() }
  const top = await addRow(site.db, 'comments', first)
  const comments = { videoId: id, userId: eve.id }
  await addComments(site.db, { ...comments, count: DELETED_AT_A_TIME * 2, parentId: top })
  await addComments(site.db, { ...comments, count: DELETED_AT_A_TIME })
  await ask(ann, 'video.delete', { id })
  expect(await statusOf(ann, 'video.get', { id })).toBe(404)
  expect(await statusOf(ann, 'video.delete', { id })).toBe(404)
  expect((await listRows(site.db, 'comments', { videoId: id })).length).toBeGreaterThan(
    DELETED_AT_A_TIME,
  )
  expect(await listDeletingVideos(site.db)).toEqual([])
  expect(await countTurns(finish)).toBeGreaterThanOrEqual(3)
  expect(await listRows(site.db, 'videos', { id })).toEqual([])
  expect(await listRows(site.db, 'comments', { videoId: id })).toEqual([])
  expect(await left()).toEqual([])
})

test('work that fails does not keep other work from its end', async () => {
  const [broken, fine] = ['broken', 'fine'].map((kind) => ({
    kind,
    step: async () => {
      if (kind === 'broken') throw new Error('It cannot be done')
      return { reachedId: null, notified: [] }
    },
  }))
  if (!broken || !fine) throw new Error('There are two')
  await addRows(site.db, 'longWork', [
    { kind: 'broken', targetId: 1 },
    { kind: 'fine', targetId: 1 },
    { kind: 'of a later version', targetId: 1 },
  ])
  await expect(finishLongWork(site.deps, [broken, fine])).rejects.toThrow('It cannot be done')
  expect((await left()).map(({ kind }) => kind)).toEqual(['broken', 'of a later version'])
  await site.db.deleteFrom('longWork').execute()
})
