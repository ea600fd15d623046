import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '#server/account/auth/lucia.ts'
import { insertChunk } from '#server/video/upload/upload.queries.ts'
import { askServer, countHandled, headerOf, listen, sayRaw } from '#test/support/asked-answer.ts'
import { answerOf, procedureRequest } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openSiteDatabaseAgain } from '#test/support/site-database.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { firstPages } from '../../bench/comments.ts'
import { fromNewPlaces, overRest } from '../../bench/home-list.ts'
import { inTurn } from '../../bench/search-words.ts'

const site = setUpTestSite()
const admin = setUpAdmin(site)
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let port: number
let video: number
let comment: number
const handled = countHandled()

beforeAll(async () => {
  for (const [title, day] of [
    ['Another', '02'],
    ['A third', '01'],
  ] as const) {
    await site.addVideo(bob, { title, publishedAt: `2020-01-${day}T00:00:00.000Z` })
  }
  port = await listen(site)
})

beforeEach(async () => {
  await site.db.deleteFrom('videos').where('userId', '=', ann.id).execute()
  video = await site.addVideo(ann, { title: 'Clutch or kick' })
  const day = new Date().toISOString().slice(0, 10)
  await site.db.insertInto('dailyViews').values({ videoId: video, day, count: 1 }).execute()
  comment = (await say<{ id: number }>(bob, 'comment.create', { videoId: video, content: 'Wow' }))
    .id
})

const say = <Output>(as: TestMember, name: string, input: unknown) =>
  answerOf<Output>(site, { as, name, input })
const trpc = (name: string, input?: unknown) => procedureRequest(name, input).url

const ask = (path: string, options: { headers?: object; port?: number } = {}) =>
  askServer(options.port ?? port, path, { ...options.headers })
/** A visitor whose answers are not cached. */
const UNKNOWN_SESSION = { cookie: 'clutch=nothing' }
const text = async (path: string) => (await ask(path)).body.toString()
/** What visitors read of a site, by the path of it. */
const reads = () => ({
  list: '/api/videos',
  page: '/api/videos?limit=1',
  video: `/api/videos/${video}`,
  comments: `/api/videos/${video}/comments`,
  channel: `/api/users/${ann.id}`,
  channelVideos: `/api/users/${ann.id}/videos`,
  search: '/api/search?q=clutch',
  trpcList: trpc('video.list', {}),
  batch: `/trpc/auth.currentUser,video.get,comment.list?batch=1&input=${encodeURIComponent(
    JSON.stringify({ 1: { id: video }, 2: { id: video } }),
  )}`,
  trending: trpc('explore.trending', {}),
  settings: trpc('site.settings'),
})

test('a cached answer is the first answer to the byte, with all of its headers', async () => {
  const forms = [
    {},
    { 'accept-encoding': 'gzip, deflate, br' },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'br;q=0, gzip' },
  ]
  await site.index()
  for (const [name, path] of Object.entries(reads())) {
    for (const headers of forms) {
      const first = await ask(path, { headers })
      expect(first.status, name).toBe(200)
      expect(await ask(path, { headers }), name).toEqual(first)
      const held = { headers: { ...headers, 'if-none-match': headerOf(first, 'etag') ?? '' } }
      const fresh = await ask(path, held)
      expect(fresh.status, name).toBe(304)
      expect(fresh.body.length).toBe(0)
      await changeRows(site.db, 'users', { where: {}, values: { bio: `${Math.random()}` } })
      await site.db.updateTable('users').set({ bio: null }).execute()
      await site.db.updateTable('siteSettings').set({ tagline: 'Anew' }).execute()
      expect(await ask(path, held), name).toEqual(fresh)
    }
  }
})

test('on a connection that stays open it is the same, in whatever way it is written', async () => {
  await site.addVideo(ann, { title: 'Clütch “quoted”' })
  const line = 'GET /api/videos HTTP/1.1\r\nHost: a\r\n'
  const last = 'GET /api/videos?limit=3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const heard: string[][] = []
  for (const more of ['', 'Connection: keep-alive\r\n', 'Connection: Keep-Alive\r\n']) {
    const text = await sayRaw(port, `${line}${more}\r\n${line}${more}\r\n${last}`)
    heard.push(text.split('HTTP/1.1 ').slice(1))
  }
  const [first = ''] = heard[0] ?? []
  expect(first).toMatch(/^200 OK\r\n/)
  expect(first).toMatch(/\r\nKeep-Alive: timeout=\d+\r\n/)
  const form = (answer: string) => {
    const [head = '', body] = answer.split('\r\n\r\n')
    const lines = head
      .replace(/\r\nDate: [^\r]+ GMT/, '\r\nDate: now')
      .replace(/\r\nx-request-id: [\da-f]{8}/, '\r\nx-request-id: its own')
      .split('\r\n')
    return { lines: lines.map((text) => text.toLowerCase()).sort(), body }
  }
  for (const answers of heard) {
    expect(answers).toHaveLength(3)
    for (const answer of answers.slice(0, 2)) expect(form(answer)).toEqual(form(first))
    expect(answers[2]).toMatch(/\r\nConnection: close\r\n/i)
  }
})

test('a cached answer is only for who says which host it is for, as any other', async () => {
  await ask('/api/videos')
  for (const lines of ['', 'Host: a\r\nHost: b\r\n', 'Host: a b\r\n', 'Host: a/b\r\n']) {
    const text = `GET /api/videos HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`
    const answer = await sayRaw(port, text)
    expect(answer, lines).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer, lines).toMatch(/host/i)
  }
})

test('answers are small for those who take them so, and the same', async () => {
  for (let at = 0; at < 5; at++) await site.addVideo(ann, { title: `Clutch ${at}` })
  const plain = await ask('/api/videos')
  for (let again = 0; again < 2; again++) {
    const br = await ask('/api/videos', { headers: { 'accept-encoding': 'gzip, br' } })
    const gzip = await ask('/api/videos', { headers: { 'accept-encoding': 'gzip' } })
    expect([headerOf(br, 'content-encoding'), headerOf(gzip, 'content-encoding')]).toEqual([
      'br',
      'gzip',
    ])
    expect(brotliDecompressSync(br.body)).toEqual(plain.body)
    expect(gunzipSync(gzip.body)).toEqual(plain.body)
    expect(br.body.length).toBeLessThan(plain.body.length / 3)
    expect(headerOf(br, 'vary')).toMatch(/accept-encoding/)
  }
})

describe('whatever changes what an answer shows is in the next answer:', () => {
  type Name = keyof ReturnType<typeof reads>
  const lists: Name[] = ['list', 'page', 'video', 'search', 'trpcList', 'batch', 'trending']
  const everywhere: Name[] = [...lists, 'channelVideos']
  const changes: [string, Name[], () => Promise<unknown>][] = [
    [
      'a new video',
      ['list', 'page', 'channelVideos', 'search', 'trpcList'],
      () => site.addVideo(ann, { title: 'Clutch again' }),
    ],
    ['a title', everywhere, () => say(ann, 'video.edit', { id: video, title: 'Clutch or not' })],
    ['an approval withdrawn', everywhere, () => say(admin, 'moderation.hideVideo', act(video))],
    ['anonymity', everywhere, () => say(ann, 'video.edit', { id: video, isAnonymous: true })],
    ['a deletion', everywhere, () => say(ann, 'video.delete', { id: video })],
    ['a like', everywhere, () => say(bob, 'like.set', { videoId: video, isLike: true })],
    ['a new follower', [...everywhere, 'channel'], () => follow()],
    ['a name', [...everywhere, 'channel'], () => rename()],
    ['a comment', ['comments', 'batch'], () => write({ content: 'Mine too' })],
    ['a reply', ['comments', 'batch'], () => write({ content: 'Yes', parentId: comment })],
    ['a comment’s like', ['comments', 'batch'], () => rateComment()],
    [
      'a comment that goes',
      ['comments', 'batch'],
      () => say(bob, 'comment.delete', { id: comment }),
    ],
    ['a setting', ['settings'], () => say(admin, 'site.edit', { name: `Site ${Math.random()}` })],
    // The last, as it ends sessions.
    ['a ban', [...everywhere, 'channel'], () => say(admin, 'moderation.ban', ban())],
  ]
  const act = (id: number) => ({ id, reason: 'For a test' })
  const ban = () => ({ userId: ann.id, reason: 'For a test' })
  const follow = () => say(bob, 'subscription.create', { channelId: ann.id })
  const rename = () => site.db.updateTable('users').set({ displayName: 'Annie' }).execute()
  const write = (input: object) => say(admin, 'comment.create', { videoId: video, ...input })
  const rateComment = () => say(admin, 'like.set', { commentId: comment, isLike: true })

  test.each(changes)('%s', async (_, shownIn, change) => {
    const before = new Map<string, string>()
    for (const [name, path] of Object.entries(reads())) before.set(name, await text(path))
    await change()
    for (const [name, path] of Object.entries(reads())) {
      const now = await text(path)
      expect((await ask(path, { headers: UNKNOWN_SESSION })).body.toString()).toBe(now)
      if (shownIn.includes(name as Name)) expect(now, name).not.toBe(before.get(name))
    }
    await site.db.deleteFrom('subscriptions').execute()
    const restored = { bannedAt: null, displayName: 'ann', subscriberCount: 0 }
    await site.db.updateTable('users').set(restored).where('id', '=', ann.id).execute()
  })
})

/** Whether a second question is answered from the cache, though `between` happens before it. */
async function isCached(
  path: string,
  { again = path, between }: { again?: string; between?: () => Promise<unknown> } = {},
): Promise<boolean> {
  await ask(path)
  await between?.()
  const before = handled()
  await ask(again)
  return handled() === before
}
/** A slow machine may take the second that an answer is cached for. */
const IN_TIME = { timeout: 10_000, interval: 1 }

test('what is asked again within a second is not read again', async () => {
  await expect.poll(() => isCached('/api/videos'), IN_TIME).toBe(true)
  await expect.poll(() => isCached(trpc('video.list', {})), IN_TIME).toBe(true)
  await expect.poll(() => isCached('/feeds/videos.xml'), IN_TIME).toBe(true)
  await ask('/api/videos')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const before = handled()
  await ask('/api/videos')
  expect(handled()).toBe(before + 1)
})

test('parameters that a path does not know make no other question, nor are they handed on', async () => {
  for (const [path, again] of [
    ['/api/videos?limit=1', '/api/videos?limit=1&again=1'],
    ['/api/videos?limit=1&_t=7', '/api/videos?_t=8&limit=%31&x=y'],
    ['/feeds/search.xml?q=clutch', '/feeds/search.xml?q=clutch&again=2'],
    [`/api/videos/${video}`, `/api/videos/${video}?again=3`],
    ['/sitemap.xml', '/sitemap.xml?again=4'],
  ] as const) {
    await expect.poll(() => isCached(path, { again }), IN_TIME).toBe(true)
  }
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const link = headerOf(await ask('/api/videos?limit=1&secret=1&_t=5'), 'link')
  expect(link).toMatch(/^<\/api\/videos\?limit=1&cursor=[\w-]+>; rel="next"$/)
  expect(headerOf(await ask('/api/videos?limit=1'), 'link')).toBe(link)
})

test('values that look like other parts of a question make another one', async () => {
  const pairs = [
    ['/api/search?q=a&sort=date', '/api/search?q=a%26sort%3Ddate'],
    ['/api/videos?limit=1', '/api/videos?limit=1&limit=2'],
    ['/api/search?q=a', '/api/search?q=a%22%2Cnull'],
  ] as const
  for (const [path, again] of pairs) expect(await isCached(path, { again })).toBe(false)
})

test('views, progress, chunks and sessions leave answers in the cache, and show within a second', async () => {
  const view = async () => {
    for (const watchedSeconds of [0, 60]) {
      await say(bob, 'history.report', { videoId: video, positionSeconds: 0, watchedSeconds })
      site.passTime(60)
    }
  }
  const path = `/api/videos/${video}`
  const session = () =>
    startSession(site.deps.sessions, { userId: bob.id, rememberMe: true, userAgent: null })
  const open = { fileName: 'a.mp4', fileSize: 10, metadata: { title: 'Clip' } }
  const { uploadId } = await say<{ uploadId: string }>(bob, 'upload.initialize', open)
  let chunkIndex = 0
  const chunk = () =>
    insertChunk(site.db, { uploadId, chunkIndex: chunkIndex++, hash: new Uint8Array(32) })
  for (const between of [session, chunk, view]) {
    await expect.poll(() => isCached(path, { between }), IN_TIME).toBe(true)
  }
  const views = async () => JSON.parse(await text(path)).viewCount
  await expect.poll(views, { timeout: 2000 }).toBe(1)
})

test('any other write clears the cache, whatever it is', async () => {
  const writes = [
    () => site.db.updateTable('users').set({ bio: 'Hi' }).execute(),
    () => site.db.insertInto('heat').values({ videoId: video, slice: 1, seconds: 5 }).execute(),
    () => sql`DELETE FROM "heat"`.execute(site.db),
  ]
  for (const between of writes) expect(await isCached('/api/videos', { between })).toBe(false)
})

test('what many ask for at once is read once', async () => {
  await site.db.updateTable('videos').set({ title: 'Anew' }).where('id', '=', video).execute()
  const before = handled()
  const answers = await Promise.all(Array.from({ length: 20 }, () => text('/api/videos')))
  expect(new Set(answers).size).toBe(1)
  expect(handled() - before).toBeLessThanOrEqual(3)
})

test('what many ask for in the same moment is read once', async () => {
  await site.db.updateTable('videos').set({ title: 'Anew' }).where('id', '=', video).execute()
  const before = handled()
  const asked = Array.from({ length: 20 }, () => site.get('/api/videos'))
  expect(new Set((await Promise.all(asked)).map(({ body }) => body)).size).toBe(1)
  expect(handled() - before).toBe(1)
})

test('what is written but not yet committed is shown to nobody, nor cached', async () => {
  await ask('/api/videos')
  let asked: Promise<string> | undefined
  const rolledBack = site.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('videos').set({ title: 'Never' }).execute()
    asked = text('/api/videos')
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await asked).not.toContain('Never')
  expect(await text('/api/videos')).not.toContain('Never')
})

test('what another program writes is seen as well', async () => {
  await ask('/api/videos')
  const other = openSiteDatabaseAgain(site.dataFolder)
  await other.updateTable('videos').set({ title: 'From outside' }).execute()
  expect(await text('/api/videos')).toContain('From outside')
  await other.updateTable('videos').set({ title: 'From outside again' }).execute()
  await other.destroy()
  expect(await text('/api/videos')).toContain('From outside again')
})

test('who is a user, or asks in another way, is not given what visitors get', async () => {
  const path = `/api/videos/${video}`
  await ask(path)
  await ask(path)
  for (const headers of [
    { cookie: 'clutch=nothing' },
    { cookie: 'clutch =nothing' },
    { cookie: 'clutch\t=nothing' },
    { authorization: 'Bearer nothing' },
    { 'content-type': 'multipart/form-data' },
    { accept: 'application/jsonl' },
    { 'trpc-accept': 'application/jsonl' },
  ]) {
    const before = handled()
    const answer = await ask(path, { headers })
    if (answer.status === 200) expect(handled()).toBe(before + 1)
  }
  const streamed = await ask(trpc('video.list', {}), { headers: { accept: 'application/jsonl' } })
  const plain = await ask(trpc('video.list', {}))
  expect(streamed.body.toString()).not.toBe(plain.body.toString())
})

test('an owner sees what waits, and no visitor after them, however the cookie is written', async () => {
  const owner = await site.addMember('owner')
  const id = await site.addVideo(owner, { title: 'Waits for approval', contentApproved: 0 })
  const { cookie } = owner
  const path = `/api/videos/${id}`
  for (const written of [cookie, cookie.replace('=', ' ='), `x=1;${cookie}`]) {
    expect((await ask(path, { headers: { cookie: written } })).status, written).toBe(200)
    expect((await ask(path)).status, written).toBe(404)
  }
})

test('cached answers count as reads', async () => {
  const busy = await openTestSite({ rateLimitScale: 0.02 })
  try {
    const own = await listen(busy)
    const path = '/trpc/video.categories,site.settings?batch=1'
    const statuses: number[] = []
    for (let at = 0; at < 5; at++) statuses.push((await ask(path, { port: own })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await ask(path, { port: own })
    expect(Number(headerOf(refused, 'retry-after'))).toBeGreaterThan(0)
  } finally {
    await busy.close()
  }
})

test('behind a trusted proxy the address it declares is what counts', async () => {
  const busy = await openTestSite({ rateLimitScale: 0.01, trustedProxies: ['127.0.0.1'] })
  try {
    const own = await listen(busy)
    const from = (address: string) =>
      ask('/api/categories', { port: own, headers: { 'x-forwarded-for': address } })
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) statuses.push((await from('10.0.0.1')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await from('10.0.0.2')).status).toBe(200)
  } finally {
    await busy.close()
  }
})

test('what the benchmarks call a cache miss is made anew with each request', async () => {
  const search = (turn: number) => ({
    path: `/api/search?q=${encodeURIComponent(inTurn(['clutch'], turn))}`,
  })
  for (const vary of [
    fromNewPlaces.vary,
    overRest('/api/videos').vary,
    overRest('/api/videos?limit=24').vary,
    firstPages(video).vary,
    search,
  ]) {
    const before = handled()
    for (let turn = 0; turn < 4; turn++) expect((await ask(vary(turn).path)).status).toBe(200)
    expect(handled() - before, vary(0).path).toBe(4)
  }
})
