import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { isLongForm } from '#test/support/long-form.ts'
import { callProcedure, procedures } from '#test/support/procedure-call.ts'
import { expectPlain, expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann } = setUpFileMembers(site, ['ann'])
const admin = setUpAdmin(site)
let video: number

beforeAll(async () => {
  video = await site.addVideo(ann)
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const send = (method: Method, url: string, payload?: object | string) =>
  site.call({
    as: ann,
    method,
    url: `/api${url}`,
    ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }),
  })

let names = 0
const newcomer = (fields: object) => {
  const username = `newcomer-${++names}`
  const account = {
    username,
    email: `${username}@example.org`,
    displayName: 'New',
    password: PASSWORD,
  }
  return site.post('/api/register', { payload: { ...account, ...fields } })
}
const edit = (fields: object) => send('PATCH', `/videos/${video}`, fields)
const comment = (fields: object) =>
  send('POST', '/comments', { videoId: video, content: 'Nice', ...fields })
const initialize = async (fields: object, metadata: object = {}) => {
  const file = { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip', ...metadata } }
  const answer = await send('POST', '/uploads/initialize', { ...file, ...fields })
  await site.db.deleteFrom('uploads').execute()
  return answer
}
const search = (q: string) => send('GET', `/search?q=${encodeURIComponent(q)}`)
const text = (length: number) => 'x'.repeat(length)
const email = (length: number) => `${`${text(50)}.`.repeat(10).slice(0, length - 13)}y@example.org`

describe('at the limit a field is taken, one past it is refused by name', () => {
  test.each<[field: string, (length: number) => Promise<{ statusCode: number }>, number, number]>([
    ['title', (length) => edit({ title: text(length) }), 3, 100],
    ['title', (length) => initialize({}, { title: text(length) }), 3, 100],
    ['description', (length) => edit({ description: text(length) }), 0, 5000],
    ['description', (length) => initialize({}, { description: text(length) }), 0, 5000],
    ['tag', (length) => edit({ tags: [text(length)] }), 2, 30],
    ['tag', (length) => edit({ tags: Array.from({ length }, (_, at) => `tag ${at}`) }), 0, 10],
    ['comment', (length) => comment({ content: text(length) }), 1, 5000],
    ['file name', (length) => initialize({ fileName: text(length) }), 1, 255],
    ['fileType', (length) => initialize({ fileType: text(length) }), 0, 255],
    ['search', (length) => search(text(length)), 1, 200],
    [
      'username',
      (length) => newcomer({ username: `${names}${text(length)}`.slice(-length) }),
      3,
      30,
    ],
    ['email', (length) => newcomer({ email: email(length) }), 40, 254],
    ['display name', (length) => newcomer({ displayName: text(length) }), 2, 50],
    [
      'password',
      (length) => newcomer({ password: 'qz7#vk w'.repeat(40).slice(0, length) }),
      6,
      256,
    ],
    ['limit', (limit) => send('GET', `/videos?limit=${limit}`), 1, 100],
  ])('%s', async (field, call, least, most) => {
    expect((await call(most)).statusCode).toBeLessThan(300)
    expect((await call(least)).statusCode).toBeLessThan(300)
    expectSentence((await call(most + 1)) as never, { status: 400, naming: field })
    if (least > 0 && field !== 'email') {
      const naming = field === 'search' ? 'search' : field
      expectSentence((await call(least - 1)) as never, { status: 400, naming })
    }
  })

  test('a file size from 1 byte to 500 MB', async () => {
    expect((await initialize({ fileSize: 524_288_000 })).statusCode).toBe(201)
    expectSentence(await initialize({ fileSize: 524_288_001 }), { status: 413, naming: '500MB' })
    expectSentence(await initialize({ fileSize: 0 }), { status: 400, naming: 'empty' })
    expectSentence(await initialize({ fileSize: 1.5 }), { status: 400, naming: 'fileSize' })
    expectSentence(await initialize({ fileSize: '5' }), { status: 400, naming: 'fileSize' })
  })

  test.each(['1', '9007199254740991'])('the id %s is looked for', async (id) => {
    expect([200, 404]).toContain((await send('GET', `/videos/${id}`)).statusCode)
  })

  test.each([
    '0',
    '01',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '9007199254740992',
    '%31%20',
    'NaN',
    '１',
  ])('the id %s is a 400', async (id) => {
    for (const path of [`/videos/${id}`, `/users/${id}`, `/videos/${id}/comments`]) {
      expectSentence(await send('GET', path), { status: 400, naming: 'id' })
    }
  })

  test.each(['0', '-1', '1.5', '0x10', '1e1', '%205', '', 'all', '101', '5&limit=6'])(
    '?limit=%s is a 400',
    async (limit) => {
      expectSentence(await send('GET', `/videos?limit=${limit}`), { status: 400, naming: 'limit' })
    },
  )

  const noTime = Buffer.from('9999-99-99T99:99:99.999Z 1').toString('base64url')
  test.each(['', 'x', 'MjAyNi', '48', 'bnVsbCAx', noTime, text(201), '%00', 'a&cursor=b'])(
    '?cursor=%s was not given by this site',
    async (cursor) => {
      expectSentence(await send('GET', `/videos?cursor=${cursor}`), {
        status: 400,
        naming: 'cursor',
      })
    },
  )
})

describe('text', () => {
  test.each([
    ['spaces', '   '],
    ['other spaces', '\u00a0\u3000\u2003'],
    ['letters without a shape', '\u200b\u200b\u2060\u3164\ufeff'],
    ['line ends', '\r\n\n\t'],
    ['empty Braille', '\u2800\u2800'],
  ])('of nothing but %s is blank', async (_, blank) => {
    expectSentence(await comment({ content: blank }), { status: 400, naming: 'empty' })
    expectSentence(await edit({ title: blank }), { status: 400, naming: 'title' })
    expectSentence(await newcomer({ displayName: blank }), { status: 400, naming: 'display name' })
    expectSentence(await search(blank), { status: 400, naming: 'search' })
  })

  test.each([
    ['characters that mean nothing', '\uffff\u{1fffe}\ufdd0'],
    ['characters of private use', '\ue000\u{f0000} \u{10fffd}'],
    ['marks without a letter', '\u0301\u0332\u20dd'],
  ])('of nothing but %s says and names nothing', async (_, blank) => {
    expectSentence(await comment({ content: blank }), { status: 400, naming: 'empty' })
    expectSentence(await edit({ title: blank }), { status: 400, naming: 'title' })
    expectSentence(await newcomer({ displayName: blank }), { status: 400, naming: 'display name' })
    expect(await search(blank)).toMatchObject({ statusCode: 200 })
  })

  test.each(['a\u0000bc', 'a\u0007bc', 'a\u001bbc', 'a\u0085bc', 'a\u202ebc', 'a\u2066bc'])(
    'with a control character is refused: %j',
    async (bad) => {
      expectSentence(await edit({ title: bad }), { status: 400, naming: 'title' })
      expectSentence(await edit({ description: bad }), { status: 400, naming: 'description' })
      expectSentence(await comment({ content: bad }), { status: 400, naming: 'content' })
      expectSentence(await edit({ tags: [bad] }), { status: 400, naming: 'tags' })
      expectSentence(await newcomer({ displayName: bad }), { status: 400, naming: 'displayName' })
    },
  )

  test('with half of a character is made whole, composed and trimmed', async () => {
    const answer = await edit({ title: ' Half \ud83d cafe\u0301 ', description: 'a\r\nb' })
    expect(answer.json()).toMatchObject({ title: 'Half \ufffd café', description: 'a\nb' })
    const found = await callProcedure(site, { name: 'search.videos', input: { q: '\udc00 half' } })
    expect(found.statusCode).toBe(200)
    const login = { username: 'x\ud800y', password: 'no\udc00body' }
    expectSentence(await send('POST', '/login', login), { status: 401 })
  })

  test('line breaks have no place in a title, and have one in a description', async () => {
    expectSentence(await edit({ title: 'one\ntwo' }), { status: 400, naming: 'title' })
    expect((await edit({ description: 'one\ntwo\tthree' })).statusCode).toBe(200)
  })
})

describe('keys', () => {
  test('that nobody asked for are dropped, __proto__ among them', async () => {
    const before = (await send('GET', `/videos/${video}`)).json()
    const hostile = `{"title":"Same","viewCount":9,"userId":${admin.id},"id":99,"contentApproved":false,
      "__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}`
    const after = await send('PATCH', `/videos/${video}`, hostile)
    expect(after.json()).toEqual({ ...before, title: 'Same' })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect((await newcomer({ isAdmin: true, subscriberCount: 7 })).json()).toMatchObject({
      isAdmin: false,
      subscriberCount: 0,
    })
    expect((await send('GET', '/videos?__proto__=1&constructor=2&_t=3')).statusCode).toBe(200)
  })

  test.each(['q=a&q=b', 'q[]=a', 'q[a]=b', 'x=1'])(
    '?%s is no text to search for',
    async (query) => {
      expectSentence(await send('GET', `/search?${query}`), { status: 400 })
    },
  )

  test.each(['null', '5', '"text"', '[]', '[{"videoId":1}]', '{', '', '\u0000'])(
    'the body %j is a 400',
    async (body) => {
      expectSentence(await send('POST', '/comments', body), { status: 400 })
    },
  )
})

const HOSTILE: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x',
  '1',
  '-1',
  'null',
  '__proto__',
  '%00',
  '\u0000',
  '\ud800',
  '\u202e',
  "'; DROP TABLE users; --",
  text(300),
  text(60_000),
  [],
  [null],
  [[]],
  ['a', 'b'],
  {},
  { length: 1 },
  { toString: 'x' },
  '9007199254740993',
].filter((value, index, all) => all.indexOf(value) === index)

/** All of them in the long form; otherwise a share, another one for the next procedure or field. */
const someOf = (place: number, share: number) =>
  HOSTILE.filter((_, index) => isLongForm || index % share === place % share)

describe('no value of any field is an unplanned 5xx', () => {
  const heavy = [
    'settings.deleteAccount',
    'settings.changePassword',
    'live.onChange',
    'live.onVideo',
    'live.onRoom',
    'arriving.follow',
  ]
  const names = Object.keys(procedures).filter((name) => !heavy.includes(name))

  test.each(names.map((name, place) => [name, place] as const))('%s', async (name, at) => {
    const schema = procedures[name]?._def.inputs[0] as z.ZodObject | undefined
    const fields = Object.keys(schema?.shape ?? {})
    const inputs = [
      ...someOf(at, 6),
      ...fields.flatMap((field, place) =>
        someOf(at + place, 6).map((value) => ({ ...valid(fields), [field]: value })),
      ),
    ]
    for (const input of inputs) {
      const answer = await callProcedure(site, { as: admin, name, input })
      expect(answer.statusCode, JSON.stringify(input)?.slice(0, 200)).toBeLessThan(500)
      if (answer.statusCode >= 400) expectPlain(answer.json().error.message)
    }
    const upload = site.db.deleteFrom('uploads')
    await upload.execute()
  })

  /** Something that passes for every other field. */
  function valid(fields: string[]): object {
    const all: Record<string, unknown> = {
      id: video,
      videoId: video,
      channelId: ann.id,
      playlistId: 1,
      title: 'A title',
      content: 'Nice',
      isLike: true,
      q: 'video',
      reason: 'Because',
      paused: false,
      isAdmin: true,
      videoIds: [video],
      category: 'Other',
      positionSeconds: 1,
      watchedSeconds: 1,
      toIndex: 0,
      kind: 'avatar',
      state: name('resolved'),
      metadata: { title: 'A clip' },
      fileName: 'a.mp4',
      fileSize: 5,
      uploadId: '0'.repeat(32),
      username: 'nobody',
      password: PASSWORD,
      email: 'x@example.org',
      displayName: 'Nobody',
    }
    const single = fields.includes('videoId') ? ['commentId', 'channelId'] : []
    const given = Object.entries(all).filter(
      ([key]) => fields.includes(key) && !single.includes(key),
    )
    return Object.fromEntries(given)
  }
  function name(value: string): string {
    return value
  }
})
