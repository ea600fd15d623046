import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startSession } from '#server/account/auth/lucia.ts'
import { askServer, headerOf, listen } from '#test/support/asked-answer.ts'
import { answerOf, procedureRequest } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openSiteDatabaseAgain } from '#test/support/site-database.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'

const DAY_MS = 86_400_000

const site = setUpTestSite()
let admin: TestMember
let ann: TestMember
let bob: TestMember
let port: number
let video: number
let anonymous: number
let pending: number
let comment: number
let members = 0

beforeAll(async () => {
  port = await listen(site)
})
afterEach(() => vi.useRealTimers())

beforeEach(async () => {
  await site.db.deleteFrom('videos').execute()
  members += 1
  admin = await site.addMember(`admin${members}`, { isAdmin: true })
  ann = await site.addMember(`ann${members}`)
  bob = await site.addMember(`bob${members}`)
  video = await site.addVideo(ann, { title: 'Clutch or kick' })
  anonymous = await site.addVideo(ann, { title: 'Whose?', isAnonymous: 1 })
  pending = await site.addVideo(ann, { title: 'Waits', contentApproved: 0 })
  comment = (await say<{ id: number }>(bob, 'comment.create', { videoId: video, content: 'Wow' }))
    .id
})

const say = <Output>(as: TestMember, name: string, input: unknown) =>
  answerOf<Output>(site, { as, name, input })
const trpc = (name: string, input?: unknown) => procedureRequest(name, input).url
const ask = (path: string, cookie?: string, more: object = {}) =>
  askServer(port, path, { ...(cookie !== undefined && { cookie }), ...more })
const text = async (path: string, cookie?: string) => (await ask(path, cookie)).body.toString()
/** With the cookie of an unknown session, the visitor's answer is computed each time. */
const UNKNOWN_SESSION = 'clutch=nothing'
const like = async (cookie: string) =>
  JSON.parse(await text(`/api/videos/${video}`, cookie)).myRating

/** Paths that a member reads. */
const reads = () => ({
  list: '/api/videos',
  video: `/api/videos/${video}`,
  anonymous: `/api/videos/${anonymous}`,
  comments: `/api/videos/${video}/comments`,
  channel: `/api/users/${ann.id}`,
  channelVideos: `/api/users/${ann.id}/videos`,
  trpcList: trpc('video.list', {}),
  batch: `/trpc/video.get,comment.list,video.recommended?batch=1&input=${encodeURIComponent(
    JSON.stringify({ 0: { id: video }, 1: { id: video }, 2: { id: video } }),
  )}`,
})

test('what a member asks again is the first answer to the byte, and not for caches between', async () => {
  for (const [name, path] of Object.entries(reads())) {
    for (const more of [{}, { 'accept-encoding': 'gzip, br' }]) {
      const first = await ask(path, bob.cookie, more)
      expect(first.status, name).toBe(200)
      expect(headerOf(first, 'cache-control')).toBe('private, no-cache')
      expect(await ask(path, bob.cookie, more), name).toEqual(first)
      const held = { ...more, 'if-none-match': headerOf(first, 'etag') }
      const fresh = await ask(path, bob.cookie, held)
      expect([fresh.status, fresh.body.length], name).toEqual([304, 0])
    }
  }
})

describe('whatever anyone does, everybody is answered what is so now, in turn:', () => {
  const acts: [string, () => Promise<unknown>][] = [
    ['one’s like', () => say(bob, 'like.set', { videoId: video, isLike: true })],
    ['another’s like', () => say(admin, 'like.set', { videoId: video, isLike: false })],
    ['a comment’s like', () => say(bob, 'like.set', { commentId: comment, isLike: true })],
    ['a new follower', () => say(bob, 'subscription.create', { channelId: ann.id })],
    ['no interest', () => say(bob, 'video.hide', { id: anonymous })],
    ['a new title', () => say(ann, 'video.edit', { id: video, title: 'Another title' })],
    ['anonymity', () => say(ann, 'video.edit', { id: video, isAnonymous: true })],
    ['an approval', () => say(admin, 'moderation.approve', { id: pending })],
    [
      'a video hidden',
      () => say(admin, 'moderation.hideVideo', { id: video, reason: 'For a test' }),
    ],
    ['a new comment', () => say(ann, 'comment.create', { videoId: video, content: 'Thanks' })],
    ['a comment gone', () => say(bob, 'comment.delete', { id: comment })],
    ['a video gone', () => say(ann, 'video.delete', { id: anonymous })],
    ['a new admin', () => say(admin, 'moderation.setAdmin', { userId: bob.id, isAdmin: true })],
    ['a ban', () => say(admin, 'moderation.ban', { userId: ann.id, reason: 'For a test' })],
    [
      'a view',
      () => say(bob, 'history.report', { videoId: video, positionSeconds: 0, watchedSeconds: 60 }),
    ],
    ['a session’s end', () => say(bob, 'auth.logout', undefined)],
  ]

  test.each(acts)('%s', async (_, act) => {
    const people = [bob.cookie, undefined, ann.cookie, admin.cookie]
    const askAll = async () => {
      for (const [name, path] of Object.entries(reads())) {
        const [first, second, now] = [[], [], []] as [string[], string[], string[]]
        for (const cookie of people) first.push(await text(path, cookie))
        for (const cookie of people) second.push(await text(path, cookie))
        for (const cookie of people) now.push(await text(path, cookie ?? UNKNOWN_SESSION))
        expect([first, second], name).toEqual([now, now])
      }
    }
    await askAll()
    await act()
    await askAll()
  })
})

test('two members, a visitor and two sessions of one are each given their own, in turn', async () => {
  const token = await startSession(site.deps.sessions, {
    ...{ userId: bob.id, rememberMe: true, userAgent: null },
  })
  const other = { ...bob, cookie: `clutch=${token}` }
  const elsewhere = other.cookie
  await say(bob, 'like.set', { videoId: video, isLike: true })
  await say(admin, 'like.set', { videoId: video, isLike: false })
  for (let again = 0; again < 3; again++) {
    expect(await like(bob.cookie)).toBe('like')
    expect(await like(admin.cookie)).toBe('dislike')
    expect(await like(ann.cookie)).toBe(null)
    expect(await like('')).toBe(null)
    expect(await like(elsewhere)).toBe('like')
  }
  await say(other, 'like.clear', { videoId: video })
  expect([await like(bob.cookie), await like(elsewhere)]).toEqual([null, null])
  await say(other, 'auth.logout', undefined)
  await say(bob, 'like.set', { videoId: video, isLike: true })
  expect([await like(bob.cookie), await like(elsewhere)]).toEqual(['like', null])
})

test('nobody is given another’s, however the cookies are written', async () => {
  await say(bob, 'like.set', { videoId: video, isLike: true })
  const [one, other] = [bob.cookie, ann.cookie]
  for (const [cookie, expected] of [
    [one, 'like'],
    [one.replace('=', ' = '), 'like'],
    [`${one.replace('=', '="')}"`, null],
    [`theme=dark; ${one}`, 'like'],
    [`${one}; ${other}`, 'like'],
    [`${other}; ${one}`, null],
    [one.slice(0, -1), null],
    [`${one}x`, null],
    [one.toUpperCase(), null],
    [one.replace('clutch', 'Clutch'), null],
    [`clutch-device=${one.slice(7)}`, null],
  ] as const) {
    for (let again = 0; again < 2; again++) {
      expect(await like(cookie), cookie).toBe(expected)
      expect(await like(one)).toBe('like')
      expect(await like(other)).toBe(null)
    }
  }
})

test('who comes with an API token is answered as its member, whatever cookie comes along', async () => {
  const input = { name: 'Script', scope: 'read', days: null }
  const { token } = await say<{ token: string }>(ann, 'apiToken.create', input)
  await say(bob, 'like.set', { videoId: video, isLike: true })
  for (let again = 0; again < 2; again++) {
    expect(await like(bob.cookie)).toBe('like')
    for (const cookie of [bob.cookie, undefined]) {
      const answer = await ask(`/api/videos/${video}`, cookie, { authorization: `Bearer ${token}` })
      expect(JSON.parse(answer.body.toString()).myRating).toBe(null)
    }
  }
})

describe('a session that is over is over at once, also where it was just used:', () => {
  const ends: [string, () => Promise<unknown>][] = [
    ['signed out', () => say(ann, 'auth.logout', undefined)],
    [
      'ended elsewhere',
      () => site.db.deleteFrom('sessions').where('userId', '=', ann.id).execute(),
    ],
    ['banned', () => say(admin, 'moderation.ban', { userId: ann.id, reason: 'For a test' })],
    ['ended by another program', () => endOutside()],
  ]
  async function endOutside(): Promise<void> {
    const other = openSiteDatabaseAgain(site.dataFolder)
    await other.deleteFrom('sessions').where('userId', '=', ann.id).execute()
    await other.destroy()
  }

  test.each(ends)('%s', async (_, end) => {
    const path = `/api/videos/${pending}`
    for (let again = 0; again < 2; again++) {
      expect((await ask(path, ann.cookie)).status).toBe(200)
      expect((await ask(path, bob.cookie)).status).toBe(404)
    }
    await end()
    expect((await ask(path, ann.cookie)).status).toBe(404)
    expect((await ask(path)).status).toBe(404)
  })
})

test('an admin who is one no more sees no more than others, at once', async () => {
  const other = await site.addMember(`other${members}`, { isAdmin: true })
  const owner = async () =>
    JSON.parse(await text(`/api/videos/${anonymous}`, other.cookie)).userId as number | null
  expect([await owner(), await owner()]).toEqual([ann.id, ann.id])
  await say(admin, 'moderation.setAdmin', { userId: other.id, isAdmin: false })
  expect([await owner(), await owner()]).toEqual([null, null])
})

describe('time alone, while nothing changes:', () => {
  const path = () => `/api/videos/${video}`
  const setSession = (change: { expiresAt?: number; createdAt?: string; rememberMe?: 0 | 1 }) =>
    site.db.updateTable('sessions').set(change).where('userId', '=', bob.id).execute()
  const seconds = (time: number) => Math.floor(time / 1000)
  async function pass(milliseconds: number): Promise<void> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  }
  async function askTwice(): Promise<void> {
    const first = await ask(path(), bob.cookie)
    expect(await ask(path(), bob.cookie)).toEqual(first)
  }

  test('a session past its half is renewed, with a cookie that is given to nobody again', async () => {
    const expiresAtHalf = seconds(Date.now() + 15 * DAY_MS + 20_000)
    await setSession({ expiresAt: expiresAtHalf, rememberMe: 1 })
    await askTwice()
    await pass(30_000)
    const renewed = await ask(path(), bob.cookie)
    expect(headerOf(renewed, 'set-cookie')).toContain(bob.cookie)
    const next = await ask(path(), bob.cookie)
    expect(headerOf(next, 'set-cookie')).toBeUndefined()
    await askTwice()
    const { expiresAt } = await readRow(site.db, 'sessions', { userId: bob.id })
    expect(expiresAt).toBeGreaterThan(seconds(Date.now() + 29 * DAY_MS))
  })

  test('a session that is half a year old is over', async () => {
    await say(bob, 'like.set', { videoId: video, isLike: true })
    await setSession({ createdAt: new Date(Date.now() - 180 * DAY_MS + 20_000).toISOString() })
    await askTwice()
    expect(await like(bob.cookie)).toBe('like')
    await pass(30_000)
    expect(await like(bob.cookie)).toBe(null)
  })
})

test('members’ answers count as reads', async () => {
  const busy = await openTestSite({ rateLimitScale: 0.02 })
  try {
    const own = await listen(busy)
    const eve = await busy.addMember('eve')
    const statuses: number[] = []
    for (let at = 0; at < 8; at++) {
      statuses.push((await askServer(own, '/api/videos', { cookie: eve.cookie })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  } finally {
    await busy.close()
  }
})
