import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCaller } from '#server/app-router.ts'
import type { Viewer } from '#server/auth/lucia.ts'
import { listComments } from '#server/comment/comment.queries.ts'
import type { Context } from '#server/context.ts'
import { findVideo, listVideosById } from '#server/video/video.queries.ts'
import { listVideos } from '#server/video/video-lists.queries.ts'
import { answerOf, procedureRequest, procedures } from '../support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ann: TestMember
let bob: TestMember
let admin: TestMember
let named: number
let anonymous: number

beforeAll(async () => {
  site = await openTestSite()
  ann = await site.addMember('ann')
  bob = await site.addMember('bob')
  admin = await site.addMember('admin', { isAdmin: true })
  const title = 'Ümlaut, "quotes" and \u2028 more \\ <b>'
  named = await site.addVideo(ann, { title, tags: '["a","b"]' })
  anonymous = await site.addVideo(ann, { title: 'Whose?', isAnonymous: 1 })
  await site.addVideo(bob, { title: 'Third', category: 'Rust' })
})
afterAll(() => site.close())

const viewerOf = (member: TestMember): Viewer => ({
  id: member.id,
  username: member.username,
  displayName: member.username,
  isAdmin: member === admin,
})
const people = () => [undefined, ann, bob, admin]
const say = (as: TestMember, name: string, input: unknown) => answerOf(site, { as, name, input })

/** What is kept ready says the same as what is read anew. */
async function expectSame(): Promise<void> {
  for (const as of people()) {
    const viewer = as && viewerOf(as)
    const ask = (name: string, input: unknown) => answerOf(site, { ...(as && { as }), name, input })
    for (let again = 0; again < 2; again++) {
      for (const input of [{ limit: 48 }, { limit: 1 }, { limit: 48, category: 'Rust' }]) {
        const page = await listVideos(site.db, { ...input, viewer })
        expect(await ask('video.list', input)).toEqual(page)
        const query = new URLSearchParams(input as never)
        const rest = await site.call({ ...(as && { as }), url: `/api/videos?${query}` })
        expect(rest.json()).toEqual(page.items)
        expect(rest.headers.link === undefined).toBe(page.nextCursor === null)
      }
      for (const id of [named, anonymous]) {
        const video = await findVideo(site.db, { id, viewer })
        expect(await ask('video.get', { id })).toEqual(video)
        const rest = await site.call({ ...(as && { as }), url: `/api/videos/${id}` })
        expect(rest.json()).toEqual(video)
      }
      const found = (await ask('search.videos', { q: 'whose' })) as { items: { id: number }[] }
      const ids = found.items.map(({ id }) => id)
      expect(ids).toEqual([anonymous])
      expect(found.items).toEqual(await listVideosById(site.db, { ids, viewer }))
      const limit = 48
      const comments = await listComments(site.db, { videoId: named, limit, viewer })
      expect(await ask('comment.list', { id: named, limit })).toEqual(comments)
    }
  }
}

test('what is kept ready is what would be read, for everybody, whatever happens', async () => {
  await expectSame()
  await say(bob, 'rating.set', { videoId: named, isLike: true })
  await expectSame()
  await say(bob, 'rating.set', { videoId: named, isLike: false })
  await say(bob, 'subscription.create', { channelId: ann.id })
  await expectSame()
  const { id } = (await say(bob, 'comment.create', { videoId: named, content: 'One' })) as {
    id: number
  }
  await say(ann, 'comment.create', { videoId: named, content: 'Two', parentId: id })
  await say(admin, 'rating.set', { commentId: id, isLike: true })
  await expectSame()
  await site.db.updateTable('comments').set({ withheld: 'held' }).where('id', '=', id).execute()
  await expectSame()
  await say(bob, 'video.hide', { id: anonymous })
  await expectSame()
  await say(bob, 'video.unhide', { id: anonymous })
  await say(ann, 'video.edit', { id: named, isAnonymous: true, title: 'New title' })
  await expectSame()
  const reason = { rejectionReason: 'Because' }
  await site.db.updateTable('videos').set(reason).where('id', '=', named).execute()
  await expectSame()
})

test('a video that is not public is ready for nobody, and there for its owner', async () => {
  const id = await site.addVideo(ann, { title: 'Pending', contentApproved: 0 })
  for (const [as, status] of [
    [undefined, 404],
    [bob, 404],
    [ann, 200],
    [admin, 200],
  ] as const) {
    const answer = await site.call({ ...(as && { as }), ...procedureRequest('video.get', { id }) })
    expect(answer.statusCode).toBe(status)
  }
  await site.db.deleteFrom('videos').where('id', '=', id).execute()
})

test('a session that ended is over at once, also one that was just used', async () => {
  const cat = await site.addMember('cat')
  const ask = () => site.call({ as: cat, url: '/api/user' })
  expect((await ask()).statusCode).toBe(200)
  expect((await ask()).statusCode).toBe(200)
  await site.db.deleteFrom('sessions').where('userId', '=', cat.id).execute()
  expect((await ask()).statusCode).toBe(401)
})

test('a ready answer is an ordinary value to who calls the procedure itself', async () => {
  const context = { ...site.deps, viewer: undefined } as unknown as Context
  const page = await createCaller(context).video.list({ limit: 1 })
  expect(page.items.map(({ id }) => id)).toHaveLength(1)
  expect(JSON.parse(JSON.stringify(page))).toEqual(
    await listVideos(site.db, { limit: 1, viewer: undefined }),
  )
})

test('every question is answered as tRPC’s adapter answers it', async () => {
  // The adapter answers those who name a form.
  const ask = (url: string, headers = {}, as?: TestMember) =>
    site.call({ url, headers, ...(as && { as }) })
  // What is free on the disk changes from one question to the next.
  const names = Object.keys(procedures).filter(
    (name) => procedures[name]?._def.type === 'query' && !/^(overview|storage)\./.test(name),
  )
  const input = (value: unknown) => encodeURIComponent(JSON.stringify(value))
  const urls = names.flatMap((name) => [
    `/trpc/${name}`,
    `/trpc/${name}?input=${input({ id: named, q: 'x', userId: ann.id, videoIds: [named] })}`,
    `/trpc/${name}?batch=1&input=${input({ 0: { id: -1 } })}`,
  ])
  urls.push(
    `/trpc/${names.slice(0, 15).join()}?batch=1&input=${input({ 3: { id: 1 } })}`,
    `/trpc/video.categories,video.get?batch=1&input=${input({ 1: { id: named } })}`,
    ...['%7B', 'null', '[]', '7', '', '%E0%A4%A'].flatMap((text) => [
      `/trpc/video.list?input=${text}`,
      `/trpc/video.list?batch=1&input=${text}`,
    ]),
    '/trpc/video.categories,site.settings?batch=1',
    '/trpc/video.categories,site.settings',
    '/trpc/video.nothing,site.settings?batch=1',
    '/trpc/constructor?batch=1',
    '/trpc/video.edit?input=7',
    '/trpc/video%2Ecategories',
  )
  for (const url of urls) {
    for (const as of [undefined, bob, admin]) {
      const plain = await ask(url, {}, as)
      const adapter = await ask(url, { 'trpc-accept': 'application/json' }, as)
      expect({ url, status: plain.statusCode }).toEqual({ url, status: adapter.statusCode })
      // Some answers tell the time.
      const body = plain.body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"\d{4}-\d\d-\d\d"/g, 'T')
      const other = adapter.body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|"\d{4}-\d\d-\d\d"/g, 'T')
      expect(body, url).toBe(other)
      expect(plain.headers['content-type'], url).toBe(adapter.headers['content-type'])
      expect(String(plain.headers.vary), url).toContain(String(adapter.headers.vary ?? ''))
    }
  }
})
