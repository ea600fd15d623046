import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '#server/api-docs/openapi.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { WITH_TOKEN } from '#test/support/authorization-rows.ts'
import { makeClip } from '#test/support/clips.ts'
import {
  answerOf,
  callProcedure,
  procedureRequest,
  procedures,
} from '#test/support/procedure-call.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { multipart } from '#test/support/upload-client.ts'
import { addMemberWithPassword, makeWorld, PASSWORD, type World } from '#test/support/world.ts'

type Scope = 'upload' | 'read'
type Created = { id: number; token: string; scope: Scope; expiresAt: string | null }
type Listed = Omit<Created, 'token'> & { name: string; lastUsedAt: string | null }

const site = setUpTestSite({ rateLimitScale: 1_000_000, renditionHeights: [] })
let ann: TestMember
beforeAll(async () => {
  await site.addMember('keeper', { isAdmin: true })
  // The site is not ready until the job queue has started.
  await site.deps.jobs.start()
  ann = await addMemberWithPassword(site, 'ann')
})

const create = (as: TestMember, scope: Scope, days: number | null = null, name = 'ShareX') =>
  answerOf<Created>(site, { as, name: 'apiToken.create', input: { name, scope, days } })
const list = (as: TestMember) => answerOf<Listed[]>(site, { as, name: 'apiToken.list' })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const whoAmI = async (token: string) => {
  const answer = await site.get('/api/user', { headers: bearer(token) })
  return answer.statusCode === 200 ? answer.json().username : answer.statusCode
}

test('a token is shown once, stored as a digest, and opens its member’s account to scripts', async () => {
  const { token, ...rest } = await create(ann, 'read')
  expect(token).toMatch(/^clutch_[\w-]{43}$/)
  expect(await whoAmI(token)).toBe('ann')
  expect(await list(ann)).toMatchObject([{ id: rest.id, name: 'ShareX', scope: 'read' }])
  await until(async () => (await list(ann))[0]?.lastUsedAt !== null)
  const rows = await site.db.selectFrom('apiTokens').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token.slice(7))
  expect(JSON.stringify(await list(ann))).not.toContain(token.slice(7))
})

test('an unknown, revoked or expired token is refused, and a cookie beside it does not help', async () => {
  const { id, token } = await create(ann, 'read')
  const url = '/api/user'
  const wrong = { headers: bearer('clutch_nothing'), url, method: 'GET' } as const
  const answer = await site.call({ as: ann, ...wrong })
  expect([answer.statusCode, answer.body]).toEqual([
    401,
    'This API token is not valid, or it has expired.',
  ])
  const basic = { ...wrong, headers: { authorization: 'Basic YTpi' } }
  expect((await site.call({ as: ann, ...basic })).statusCode).toBe(401)
  const open = { ...wrong, url: '/api/videos' }
  await site.get('/api/videos')
  expect((await site.call(open)).statusCode).toBe(401)

  await answerOf(site, { as: ann, name: 'apiToken.revoke', input: { id } })
  expect(await whoAmI(token)).toBe(401)
  const again = await callProcedure(site, { as: ann, name: 'apiToken.revoke', input: { id } })
  expect(again.statusCode).toBe(404)

  const short = await create(ann, 'read', 1)
  expect(await whoAmI(short.token)).toBe('ann')
  const change = { expiresAt: '2026-01-01T00:00:00.000Z' }
  await site.db.updateTable('apiTokens').set(change).where('id', '=', short.id).execute()
  expect(await whoAmI(short.token)).toBe(401)
})

test('a new password, a ban and a deletion end every token', async () => {
  const ends: [name: string, end: (member: TestMember) => Promise<unknown>][] = [
    [
      'password',
      (as) => {
        const input = { currentPassword: PASSWORD, newPassword: 'battery staple' }
        return answerOf(site, { as, name: 'settings.changePassword', input })
      },
    ],
    [
      'ban',
      async ({ id: userId }) => {
        const as = await site.addMember('judge', { isAdmin: true })
        const input = { userId, reason: 'Spam' }
        return answerOf(site, { as, name: 'moderation.ban', input })
      },
    ],
    [
      'deletion',
      (as) => {
        return answerOf(site, { as, name: 'settings.deleteAccount', input: { password: PASSWORD } })
      },
    ],
  ]
  for (const [name, end] of ends) {
    const member = await addMemberWithPassword(site, `ends-by-${name}`)
    const { token } = await create(member, 'read')
    expect(await whoAmI(token)).toBe(member.username)
    await end(member)
    expect([name, await whoAmI(token)]).toEqual([name, 401])
  }
})

test('a member has at most 20 tokens, and their names and days are checked', async () => {
  const bea = await site.addMember('bea')
  for (let count = 0; count < 20; count++) await create(bea, 'upload', 30, `Token ${count}`)
  const ask = (input: object) => callProcedure(site, { as: bea, name: 'apiToken.create', input })
  expect((await ask({ name: 'One more', scope: 'read', days: null })).statusCode).toBe(409)
  const wrong = [
    { name: '', scope: 'read', days: null },
    { name: 'x'.repeat(51), scope: 'read', days: null },
    { name: 'A', scope: 'admin', days: null },
    { name: 'A', scope: 'read', days: 0 },
    { name: 'A', scope: 'read', days: 4000 },
  ]
  for (const input of wrong) expect((await ask(input)).statusCode).toBe(400)
})

test('an admin’s token is no admin', async () => {
  const admin = await site.addMember('admin', { isAdmin: true })
  const { token } = await create(admin, 'read')
  const hidden = await site.addVideo(ann, { contentApproved: 0 })
  const url = `/api/videos/${hidden}`
  expect((await site.get(url, { as: admin })).statusCode).toBe(200)
  const answer = await site.get(url, { headers: bearer(token) })
  expect(answer.statusCode).toBe(404)
})

test('what a script reads is not stored for visitors, nor the other way round', async () => {
  const carl = await site.addMember('carl')
  await site.addVideo(carl, { title: 'Pending', contentApproved: 0 })
  const { token } = await create(carl, 'read')
  const url = `/api/users/${carl.id}/videos`
  for (let again = 0; again < 3; again++) {
    expect((await site.get(url)).json()).toHaveLength(0)
    const own = await site.get(url, { headers: bearer(token) })
    expect(own.json()).toHaveLength(1)
  }
})

describe('with a token', () => {
  const fill = (text: string, names: Record<string, string>) =>
    text.replaceAll(/\{(\w+)\}/g, (all, name) => names[name] ?? all)

  async function ask(
    { people, names }: World,
    { scope, call, body }: { scope: Scope; call: string; body?: Record<string, unknown> },
  ) {
    const { token } = await create(people.owner as TestMember, scope)
    const [method = '', url = ''] = fill(call, names).split(' ')
    const isForm = Object.values(body ?? {}).some(Buffer.isBuffer)
    const filled = Object.entries(body ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? fill(value, names) : value,
    ])
    const form = isForm ? multipart(Object.fromEntries(filled)) : undefined
    const answer = await site.call({
      method: method as 'GET',
      url,
      remoteAddress: '198.51.100.7',
      ...(body && !isForm && { payload: Object.fromEntries(filled) }),
      ...(form && { payload: form.payload }),
      headers: { ...form?.headers, ...bearer(token) },
    })
    return answer.statusCode
  }

  test.each(WITH_TOKEN)('%s answers %s', async (call, expected, body) => {
    const asked = { call, ...(body && { body }) }
    const world = await makeWorld(site)
    const upload = await ask(world, { scope: 'upload', ...asked })
    // A refused request changes nothing, so the world can be used again.
    const next = upload === 403 ? world : await makeWorld(site)
    const read = await ask(next, { scope: 'read', ...asked })
    expect(`${upload} ${read}`).toBe(expected)
  })

  test('every other documented path is closed', async () => {
    const { paths } = describeApi() as { paths: Record<string, Record<string, object>> }
    const shape = (call: string) => call.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}')
    const open = new Set([
      ...WITH_TOKEN.map(([call]) => shape(call)),
      'GET /api/videos/category/{}',
    ])
    const closed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .map((method) => `${method.toUpperCase()} ${path}`)
        .filter((call) => !open.has(shape(call))),
    )
    expect(closed.length).toBeGreaterThan(10)
    const world = await makeWorld(site)
    const { id } = world.people.owner as TestMember
    for (const path of closed) {
      await site.db.deleteFrom('apiTokens').where('userId', '=', id).execute()
      const call = path.replaceAll(/\{\w+\}/g, '1')
      expect([path, await ask(world, { scope: 'upload', call })]).toEqual([path, 403])
      expect([path, await ask(world, { scope: 'read', call })]).toEqual([path, 403])
    }
  })

  test('every procedure and every page is closed', async () => {
    const tokens = [await create(ann, 'upload'), await create(ann, 'read')]
    const requests = [
      ...Object.keys(procedures).map((name) => procedureRequest(name, {})),
      ...['/video/1', '/feeds/videos.xml', '/settings', '/nowhere'].map((url) => {
        return { method: 'GET' as const, url }
      }),
    ]
    for (const request of requests) {
      for (const { token } of tokens) {
        const headers = { ...('headers' in request && request.headers), ...bearer(token) }
        const answer = await site.call({ ...request, headers })
        expect([request.url, answer.statusCode]).toEqual([request.url, 403])
      }
    }
  })
})

describe('a whole file in one form', () => {
  let clip: Buffer
  let token: string
  beforeAll(async () => {
    const path = join(site.dataFolder, 'clip.mp4')
    await makeClip({ path, seconds: 1 })
    clip = await readFile(path)
    token = (await create(ann, 'upload')).token
  })

  /** Sends a form like ShareX and curl, in which the file has a name of its own. */
  const send = (fields: Record<string, string | Buffer>, fileName = 'Replay 2026.mp4') => {
    const { payload, headers } = multipart(fields)
    const named = payload.toString('latin1').replaceAll('filename="blob"', `filename="${fileName}"`)
    return site.post('/api/uploads/file', {
      payload: Buffer.from(named, 'latin1'),
      headers: { ...headers, ...bearer(token) },
    })
  }
  const read = async (id: number) => {
    const answer = await site.get(`/api/videos/${id}`, { as: ann })
    return answer.json()
  }

  test('becomes a video that is named after it', async () => {
    const answer = await send({ file: clip })
    expect(answer.statusCode).toBe(201)
    const { videoId, url } = answer.json()
    expect(url).toBe(`http://localhost/video/${videoId}`)
    const video = await read(videoId)
    expect(video).toMatchObject({ title: 'Replay 2026', userId: ann.id })
    const bytes = await site.get(video.videoUrl)
    expect(bytes.statusCode).toBe(200)
  })

  test.each([
    [
      'an extended name beside an encoded word',
      '=?utf-8?B?Q2Fm?="; filename*=utf-8\'\'Caf%C3%A9%20%F0%9F%98%80.mp4; x="',
      'Café 😀',
    ],
    [
      'an extended name beside a plain one',
      'cafe.mp4"; filename*=UTF-8\'en\'C%3A%5CCaf%c3%a9.mp4; x="',
      'Café',
    ],
    ['an extended name in Latin-1', 'cafe.mp4"; filename*=iso-8859-1\'\'Caf%E9.mp4; x="', 'Café'],
    [
      'an extended name that nobody can read',
      'cafe.mp4"; filename*=klingon\'\'Caf%E9.mp4; x="',
      'cafe',
    ],
    ['direction marks', '\u2068My clip\u2069.mp4', 'My clip'],
    ['an override of the direction', 'clip\u202Egpj.mp4', 'clipgpj'],
    ['a tab', 'my\tclip.mp4', 'myclip'],
    ['nothing that can be seen', '\u2800\u2800.mp4', 'Video'],
  ])('is named by %s', async (_, fileName, title) => {
    const answer = await send({ file: clip }, Buffer.from(fileName).toString('latin1'))
    expect(answer.statusCode).toBe(201)
    expect(await read(answer.json().videoId)).toMatchObject({ title })
  })

  test('takes what is said of it before and after the file', async () => {
    const before = await send({ title: 'Ace on Dust', tags: 'ace, dust', file: clip })
    expect(await read(before.json().videoId)).toMatchObject({
      title: 'Ace on Dust',
      tags: ['ace', 'dust'],
    })
    const after = await send({
      file: clip,
      title: 'Said later',
      category: 'CS2',
      isAnonymous: 'true',
    })
    expect(await read(after.json().videoId)).toMatchObject({
      title: 'Said later',
      category: 'CS2',
      isAnonymous: true,
    })
    const short = await send({ file: clip }, 'a.mp4')
    expect((await read(short.json().videoId)).title).toBe('Video a')
  })

  test('may be larger than a chunk, by any number of bytes', async () => {
    const boxAfter = (length: number) => {
      const box = Buffer.alloc(length)
      box.writeUInt32BE(length, 0)
      box.write('free', 4, 'latin1')
      return Buffer.concat([clip, box])
    }
    for (const size of [UPLOAD_CHUNK_BYTES, UPLOAD_CHUNK_BYTES + 100, 3 * UPLOAD_CHUNK_BYTES - 1]) {
      const answer = await send({ file: boxAfter(size - clip.length) })
      expect([size, answer.statusCode]).toEqual([size, 201])
    }
  })

  test('is refused with a sentence, and leaves no open upload behind', async () => {
    const refusals: [Record<string, string | Buffer>, number, RegExp][] = [
      [{ file: Buffer.from('not a video') }, 422, /./],
      [{ title: 'No file' }, 400, /^file is missing\.$/],
      [{ file: Buffer.alloc(0) }, 400, /^The file is empty\.$/],
      [{ title: 'ab', file: clip }, 400, /^Title must be at least 3 characters$/],
      [{ file: clip, category: 'Chess' }, 400, /category/i],
      [{ file: clip, isAnonymous: 'perhaps' }, 400, /true or false/],
    ]
    // One after the other: only three uploads of a member may be open.
    for (const [fields, status, sentence] of refusals) {
      const { statusCode, body } = await send(fields)
      expect([statusCode, body]).toEqual([status, expect.stringMatching(sentence)])
    }
    const cut = multipart({ file: clip })
    const answer = await site.post('/api/uploads/file', {
      payload: cut.payload.subarray(0, cut.payload.length - 200),
      headers: { ...cut.headers, ...bearer(token) },
    })
    expect(answer.statusCode).toBe(400)
    expect(await answerOf(site, { as: ann, name: 'upload.listOpen' })).toEqual([])
  })

  test('over the limit is refused, whatever length was declared', async () => {
    const small = await openTestSite({ maxVideoBytes: 1000 })
    const member = await small.addMember('ann')
    const { payload, headers } = multipart({ file: Buffer.alloc(2000) })
    const answer = await small.post('/api/uploads/file', { as: member, payload, headers })
    expect(answer.statusCode).toBe(413)
    expect(await answerOf(small, { as: member, name: 'upload.listOpen' })).toEqual([])
    await small.close()
  })
})
