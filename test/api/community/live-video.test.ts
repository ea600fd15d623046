import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { VISITOR_STREAMS_MAX } from '#server/platform/events/stream-limit.ts'
import type { WatchingCount } from '#shared/schemas/watching.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { followVideo } from '#test/support/video-events.ts'

const site = setUpTestSite()
const { owner, ann, bob } = setUpFileMembers(site, ['owner', 'ann', 'bob'])
const { ask } = callsOf(site)
let origin: string

beforeAll(async () => {
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})

async function follow(id: number, as?: TestMember, userAgent?: string) {
  const events = await followVideo(origin, { id, as, ...(userAgent && { userAgent }) })
  onTestFinished(() => events.close())
  return events
}

test('an open page receives reactions, comments, replies and likes within a second', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const other = await site.addVideo(owner, { duration: 600 })
  const page = await follow(id, bob)
  const visitor = await follow(id)
  const elsewhere = await follow(other, bob)
  const both = async (isIt: Parameters<typeof page.until>[0]) => {
    await page.until(isIt)
    await visitor.until(isIt)
  }
  await ask(ann, 'reaction.react', { id, second: 7, kind: 'wow' })
  const hasReaction = ({ reactions }: { reactions?: unknown }) =>
    JSON.stringify(reactions) === '[["wow",7]]'
  await both(hasReaction)

  const comment = await ask<{ id: number }>(ann, 'comment.create', { videoId: id, content: 'Ace' })
  const hasComments = ({ changed = [] }: { changed?: string[] }) => changed.includes('comments')
  await both(hasComments)
  const reply = { videoId: id, parentId: comment.id, content: 'Yes' }
  await ask(ann, 'comment.create', reply)
  await both(hasComments)
  await ask(ann, 'like.set', { commentId: comment.id, isLike: true })
  await both(hasComments)
  await ask(ann, 'like.set', { videoId: id, isLike: true })
  await both(({ changed = [] }) => changed.includes('likes'))

  expect(JSON.stringify([page.seen, visitor.seen])).not.toMatch(/ann|Ace|user/i)
  expect(elsewhere.seen.every(({ changed, reactions }) => !changed && !reactions)).toBe(true)
})

test('hidden and deleted comments and comments on clips send an event, and a repeated like sends none', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const comment = await ask<{ id: number }>(ann, 'comment.create', { videoId: id, content: 'Ace' })
  const clip = await ask<{ id: number }>(ann, 'clip.create', {
    ...{ videoId: id, title: 'Ace', startSeconds: 1, endSeconds: 5 },
  })
  const admin = await site.addMember('judge', { isAdmin: true })
  const page = await follow(id, bob)
  await page.until(({ watching }) => watching !== undefined)
  const hears = (topic: string) =>
    page.until(({ changed = [] }: { changed?: string[] }) => changed.includes(topic))
  await ask(ann, 'like.set', { videoId: id, isLike: true })
  await hears('likes')
  const from = page.seen.length
  await ask(admin, 'moderation.hideComment', { id: comment.id, reason: 'Insult' })
  await hears('comments')
  await ask(admin, 'moderation.unhideComment', { id: comment.id })
  await hears('comments')
  await ask(ann, 'comment.delete', { id: comment.id })
  await hears('comments')
  await ask(ann, 'like.set', { videoId: id, isLike: true })
  await ask(ann, 'comment.create', { videoId: id, clipId: clip.id, content: 'Again' })
  await hears('clip-comments')
  const told = page.seen.slice(from).flatMap(({ changed = [] }: { changed?: string[] }) => changed)
  expect(told.filter((topic) => topic !== 'access')).toEqual([
    'comments',
    'comments',
    'comments',
    'clip-comments',
  ])
})

test('what happens on the page of a clip has topics of its own', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const clip = await ask<{ id: number }>(ann, 'clip.create', {
    ...{ videoId: id, title: 'Ace', startSeconds: 1, endSeconds: 5 },
  })
  const { id: commentId } = await ask<{ id: number }>(ann, 'comment.create', {
    ...{ videoId: id, clipId: clip.id, content: 'Again' },
  })
  const page = await follow(id, bob)
  const hears = (topic: string) => page.until(({ changed = [] }) => changed.includes(topic))
  await ask(bob, 'like.set', { videoId: id, isLike: true })
  await hears('likes')
  const from = page.seen.length
  await ask(ann, 'like.set', { commentId, isLike: true })
  await hears('clip-comments')
  await ask(ann, 'comment.edit', { id: commentId, content: 'And again' })
  await hears('clip-comments')
  // A reply need not name the clip.
  await ask(bob, 'comment.create', { videoId: id, parentId: commentId, content: 'Yes' })
  await hears('clip-comments')
  await ask(ann, 'clip.like', { id: clip.id, isLiked: true })
  await hears('clip-likes')
  await ask(ann, 'clip.like', { id: clip.id, isLiked: true })
  await ask(ann, 'like.set', { videoId: id, isLike: true })
  await hears('likes')
  const told = page.seen.slice(from).flatMap(({ changed = [] }) => changed)
  expect(told).toEqual(['clip-comments', 'clip-comments', 'clip-comments', 'clip-likes', 'likes'])
})

test('many reactions at once are combined into few events', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const page = await follow(id, bob)
  await page.until(({ watching }) => watching !== undefined)
  const before = page.seen.length
  const seconds = Array.from({ length: 30 }, (_, second) => second)
  await Promise.all(seconds.map((second) => ask(ann, 'reaction.react', { id, second, kind: 'gg' })))
  await page.until(({ reactions }) => (reactions?.length ?? 0) > 0, 3000)
  await ask(ann, 'like.set', { videoId: id, isLike: true })
  await page.until(({ changed = [] }) => changed.includes('likes'))
  const events = page.seen.slice(before)
  expect(events.length).toBeLessThan(25)
  for (const { reactions = [] } of events) expect(reactions.length).toBeLessThanOrEqual(20)
})

test('the stream ends when the viewer may no longer watch, and is refused to those who may not', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const page = await follow(id, bob)
  const visitor = await follow(id)
  const own = await follow(id, owner)
  await own.until(({ watching }) => watching === 3)
  await ask(owner, 'video.edit', { id, visibility: 'private' })
  await page.ended()
  await visitor.ended()
  await own.until(({ watching }) => watching === 0)
  await ask(owner, 'like.set', { videoId: id, isLike: true })
  await own.until(({ changed = [] }) => changed.includes('likes'), 3000)
  for (const as of [bob, undefined]) {
    const refused = await follow(id, as)
    await expect(refused.until(() => true)).rejects.toThrow('The server answered 404.')
  }
})

test('the stream of a former admin ends, if only admins may watch the video', async () => {
  const id = await site.addVideo(owner, { duration: 600, visibility: 'private' })
  const admin = await site.addMember('former', { isAdmin: true })
  const page = await follow(id, admin)
  await page.until(({ watching }) => watching !== undefined)
  await ask(owner, 'like.set', { videoId: id, isLike: true })
  await page.until(({ changed = [] }) => changed.includes('likes'))
  await site.db.updateTable('users').set({ isAdmin: 0 }).where('id', '=', admin.id).execute()
  await ask(owner, 'video.edit', { id, title: 'Still private' })
  await page.ended()
})

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await site.db.introspection.getTables()) {
    const { rows } = await sql<{
      count: number
    }>`SELECT count(*) AS "count" FROM ${sql.table(name)}`.execute(site.db)
    counts[name] = Number(rows[0]?.count)
  }
  return counts
}

test('each viewer counts once, the count appears from two viewers, and nothing is stored', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const hidden = await site.addVideo(owner, { duration: 600, visibility: 'private' })
  const counts = (as?: TestMember) =>
    ask<WatchingCount[]>(as, 'watching.counts', { ids: [id, hidden, 999] })
  const before = await countRows()
  const first = await follow(id, ann)
  const again = await follow(id, ann)
  expect((await first.until(({ watching }) => watching !== undefined)).watching).toBe(0)
  expect(await counts()).toEqual([])
  const second = await follow(id, bob)
  await first.until(({ watching }) => watching === 2)
  const visitor = await follow(id)
  await first.until(({ watching }) => watching === 3)
  expect(await counts()).toEqual([{ id, count: 3 }])
  again.close()
  visitor.close()
  await first.until(({ watching }) => watching === 2)
  second.close()
  await first.until(({ watching }) => watching === 0)
  expect(await counts()).toEqual([])
  // Presence is kept in memory and changes no rows.
  expect(await countRows()).toEqual(before)

  // The counts do not reveal that a video exists to those who may not see it.
  await follow(hidden, owner)
  const admin = await site.addMember('root', { isAdmin: true })
  await follow(hidden, admin)
  await until(async () => (await counts(owner)).some((one) => one.id === hidden))
  expect(await counts(ann)).toEqual([])
})

test('a follower sees the face of a watching member only if both allow it', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const faces = async (as: TestMember) =>
    (await ask<{ id: number }[]>(as, 'watching.faces', { id })).map((face) => face.id)
  const show = (as: TestMember, showsPresence: boolean) =>
    ask(as, 'settings.editProfile', { showsPresence })
  await ask(ann, 'subscription.create', { channelId: bob.id })
  const withoutConsent = await follow(id, bob)
  await show(ann, true)
  expect(await faces(ann)).toEqual([])
  withoutConsent.close()
  await show(bob, true)
  const first = await follow(id, bob)
  const second = await follow(id, bob)
  await until(async () => (await faces(ann)).length > 0)
  await second.until(() => true)
  // Of two windows of a member, one is enough.
  first.close()
  const other = await follow(id, owner)
  await other.until(({ watching }) => watching === 2)
  expect(await faces(ann)).toEqual([bob.id])
  other.close()
  // Neither shows a face: Bob does not follow Ann, and the owner follows nobody.
  await follow(id, ann)
  expect(await faces(bob)).toEqual([])
  await show(ann, false)
  expect(await faces(ann)).toEqual([])
  await show(ann, true)
  await show(bob, false)
  expect(await faces(ann)).toEqual([])
})

test('visitors of one address can open forty streams, and the next one is refused', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const first = await follow(id)
  for (let more = 1; more < VISITOR_STREAMS_MAX; more += 1) {
    await (await follow(id, undefined, `browser ${more}`)).until(() => true)
  }
  const refused = await follow(id)
  await expect(refused.until(() => true)).rejects.toThrow('The server answered 429.')
  await first.until(({ watching = 0 }) => watching === VISITOR_STREAMS_MAX)
})

test('a member can have ten video streams, and the oldest ends when another opens', async () => {
  const id = await site.addVideo(owner, { duration: 600 })
  const carl = await site.addMember('carl')
  const oldest = await follow(id, carl)
  for (let more = 0; more < 10; more += 1) await follow(id, carl)
  await oldest.ended()
})
