import { beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '#server/platform/db/sqlite/open.ts'
import { expectPlain, expectSentence } from '#test/support/sentence.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { multipart } from '#test/support/upload-client.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let video: number

beforeAll(async () => {
  video = await site.addVideo(ann)
})

const text = (length: number) => 'x'.repeat(length)
const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  site.call({ as: ann, method, url: `/api${url}`, ...(payload && { payload }) })

describe('what cannot be a request', () => {
  const raw = (url: string, type: string | undefined, payload: string | Buffer) =>
    site.post(url, {
      as: ann,
      payload,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'json',
    'multipart/form-data; boundary=b',
  ])('of the type %s is a 415 where JSON is taken', async (type) => {
    expectSentence(await raw('/api/comments', type, '{}'), { status: 415 })
    const procedure = await raw('/trpc/comment.create', type, '{}')
    expect(procedure.statusCode).toBe(415)
    expectPlain(procedure.json().error.message)
  })

  test.each(['/api/uploads/chunk', '/api/uploads/thumbnail', '/api/settings/avatar'])(
    'at %s is a 415 unless it is a form, and a 400 when the form is broken',
    async (url) => {
      expectSentence(await raw(url, 'application/json', '{}'), { status: 415 })
      expectSentence(await raw(url, 'text/plain', 'x'), { status: 415 })
      expectSentence(await site.post(url, { as: ann }), { status: 415 })
      const form = 'multipart/form-data; boundary=b'
      const head = '--b\r\nContent-Disposition: form-data; name='
      for (const broken of [
        '',
        'junk',
        `${head}"uploadId"\r\n\r\nabc`,
        `${head}"a"; filename="f"\r\n\r\nabc`,
      ]) {
        expectSentence(await raw(url, form, broken), { status: 400 })
      }
      expectSentence(await raw(url, 'multipart/form-data', 'abc'), { status: 400 })
      expectSentence(await raw(url, form, `${head}"__proto__"\r\n\r\nabc\r\n--b--\r\n`), {
        status: 400,
      })
    },
  )

  test('a body over 64 KiB is a 413, and so is a chunk or picture over 2 MiB', async () => {
    expectSentence(await send('POST', '/comments', { content: text(70_000) }), { status: 413 })
    const large = Buffer.alloc(2 * 1024 * 1024 + 1)
    const chunk = { uploadId: '0'.repeat(32), chunkIndex: 0, totalChunks: 1, chunk: large }
    for (const [url, form] of [
      ['/api/uploads/chunk', chunk],
      ['/api/uploads/thumbnail', { uploadId: '0'.repeat(32), thumbnail: large }],
      ['/api/settings/banner', { picture: large }],
    ] as const) {
      const answer = await site.post(url, { as: ann, ...multipart(form) })
      expectSentence(answer, { status: 413 })
    }
  })

  test('an address that is malformed, too long or nobody’s is a plain 400, 414 or 404', async () => {
    expectSentence(await send('GET', '/%E0%A4%A'), { status: 400 })
    expectSentence(await send('GET', `/videos/${text(6000)}`), { status: 414 })
    for (const path of [
      '/nothing',
      '/videos/1/nothing',
      '/docs/files/%00',
      '/docs/files/..%2f..%2fx',
    ]) {
      expectSentence(await send('GET', path), { status: 404 })
    }
    expectSentence(await send('DELETE', '/categories'), { status: 404 })
  })

  test.each([
    ['GET', '/trpc/auth.logout', 405],
    ['GET', '/trpc/video.get?input=%7B', 400],
    ['GET', '/trpc/video.get?batch=1&input=5', 400],
    ['GET', '/trpc/nothing.here', 404],
    ['GET', '/trpc/constructor', 404],
  ] as const)('%s %s is a %i with a sentence', async (method, url, status) => {
    const answer = await site.call({ method, url })
    expect(answer.statusCode).toBe(status)
    const body = answer.json()
    expectPlain((Array.isArray(body) ? body[0] : body).error.message)
  })
})

test.skipIf(isOnPostgres)(
  'a database busy for more than two seconds is a 503 that says when to come back',
  async () => {
    const busy = openSqlite(`${site.dataFolder}/clutch.db`)
    busy.exec('BEGIN IMMEDIATE')
    try {
      const order: string[] = []
      const edit = send('PATCH', `/videos/${video}`, { title: 'Not now' })
      void edit.then(() => order.push('edit'))
      await send('GET', '/videos').then(() => order.push('read'))
      const answer = await edit
      expect(order).toEqual(['read', 'edit'])
      expectSentence(answer, { status: 503 })
      expect(answer.headers['retry-after']).toBe('1')
      expect((await send('GET', `/videos/${video}`)).statusCode).toBe(200)
    } finally {
      busy.close()
    }
    expect((await send('PATCH', `/videos/${video}`, { title: 'Now again' })).statusCode).toBe(200)
  },
)

describe('the order of checks', () => {
  const foreign = { origin: 'https://evil.example' }
  const json = { 'content-type': 'application/json' }
  const patch = (
    slow: TestSite,
    as: TestMember | undefined,
    options: { body?: string; headers?: object; id?: number },
  ) =>
    slow.patch(`/api/videos/${options.id ?? 1}`, {
      ...(as && { as }),
      payload: options.body ?? '{"title":"New title"}',
      headers: { ...json, ...options.headers },
    })

  test('is 413 and 415, 429, 403 cross-site, 401, 400, 404, 403', async () => {
    const slow = await openTestSite({ rateLimitScale: 0.1 })
    const owner = await slow.addMember('owner')
    const id = await slow.addVideo(owner)
    const people = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => slow.addMember(name)))
    const [a1, a2, a3, a4] = people as [TestMember, TestMember, TestMember, TestMember]
    const wrong = '{"title":"x"}'
    expectSentence(await patch(slow, a1, { id, headers: foreign, body: wrong }), {
      status: 403,
      naming: 'another site',
    })
    expectSentence(await patch(slow, undefined, { id, headers: foreign }), {
      status: 403,
      naming: 'another site',
    })
    expectSentence(await patch(slow, a1, { id: 99, body: wrong }), { status: 400 })
    expectSentence(await patch(slow, a1, { id: 99 }), { status: 404 })
    expectSentence(await patch(slow, undefined, { id: 99, body: wrong }), { status: 401 })
    expectSentence(await patch(slow, a2, { id }), { status: 403, naming: 'owner' })
    // Three writes in ten seconds are allowed here.
    for (let call = 0; call < 3; call++) await patch(slow, a3, { id })
    const hurried = await patch(slow, a3, { id, headers: foreign, body: wrong })
    expectSentence(hurried, { status: 429 })
    expect(Number(hurried.headers['retry-after'])).toBeGreaterThan(0)
    expectSentence(await patch(slow, a3, { id, body: text(70_000) }), { status: 413 })
    expectSentence(await patch(slow, a3, { id, headers: { 'content-type': 'text/plain' } }), {
      status: 415,
    })
    expect((await patch(slow, a4, { id })).statusCode).toBe(403)
    await slow.close()
  })

  test('has a missing video before another member’s name', async () => {
    const say = (fields: object) =>
      send('POST', '/comments', { videoId: video, content: 'Nice', userId: bob.id, ...fields })
    expectSentence(await say({}), { status: 403 })
    expectSentence(await say({ videoId: 99 }), { status: 404 })
    expectSentence(await say({ parentId: 99 }), { status: 404 })
    const like = { videoId: 99, isLike: true, userId: bob.id }
    expectSentence(await send('POST', '/likes', like), { status: 404 })
    const subscription = { channelId: 99, subscriberId: bob.id }
    expectSentence(await send('POST', '/subscriptions', subscription), { status: 404 })
    expectSentence(await send('DELETE', `/subscriptions/${bob.id}/99`), { status: 404 })
  })
})

describe('rate limits', () => {
  test('count every call of a batch, however its address is spelled', async () => {
    const slow = await openTestSite({ rateLimitScale: 0.1 })
    const read = (url: string) => slow.get(url)
    // Thirty reads in ten seconds are allowed here.
    const ten = (comma: string) => Array.from({ length: 10 }, () => 'video.categories').join(comma)
    expect((await read(`/trpc/${ten('%2C')}?batch=1`)).statusCode).toBe(200)
    expect((await read(`/trpc/${ten('%2C')}?batch=1`)).statusCode).toBe(200)
    expect((await read(`/%74rpc/${ten('%2c')}?batch=1`)).statusCode).toBe(200)
    for (const url of ['/trpc/video.categories', '/api/categories', '/%61pi/%63ategories']) {
      const refused = await read(url)
      expect([url, refused.statusCode]).toEqual([url, 429])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await read('/api/health')).statusCode).toBe(200)
    await slow.close()
  })

  test('count writes by member and not by address', async () => {
    const slow = await openTestSite({ rateLimitScale: 0.1 })
    const [one, two] = [await slow.addMember('one'), await slow.addMember('two')]
    const write = (as?: TestMember) => slow.delete('/api/videos/1', { ...(as && { as }) })
    for (let call = 0; call < 3; call++) expect((await write(one)).statusCode).toBe(404)
    expect((await write(one)).statusCode).toBe(429)
    expect((await write(two)).statusCode).toBe(404)
    expect((await write()).statusCode).toBe(401)
    await slow.close()
  })
})
