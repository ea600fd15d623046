import { beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '#server/api-docs/openapi.ts'
import { makePng } from '#test/support/png.ts'
import { procedures } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { multipart } from '#test/support/upload-client.ts'

// What a page of another site can make the browser of a user who is signed in send. The session's
// cookie comes along in all of these, as if SameSite did not exist.

const HOST = 'clips.example:3000'
const JSON_TYPE = { 'content-type': 'application/json' }

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
let ann: TestMember
let video: number
beforeAll(async () => {
  ann = await site.addMember('ann', { isAdmin: true })
  video = await site.addVideo(ann, { title: 'As it was' })
})

type Sent = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  url: string
  headers?: Record<string, string>
  payload?: string | Buffer
}
const send = ({ method = 'POST', headers, ...rest }: Sent) =>
  site.call({ as: ann, method, ...rest, headers: { host: HOST, ...headers } })

const FOREIGN: [from: string, headers: Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another site, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
  ['a page that hides where it is', { origin: 'null' }],
  [
    'a neighbour of the same domain',
    { origin: 'http://a.clips.example', 'sec-fetch-site': 'same-site' },
  ],
  [
    'another port of the same host',
    { origin: 'http://clips.example:8080', 'sec-fetch-site': 'same-site' },
  ],
  ['a host whose name begins the same', { origin: 'http://clips.example.evil.example:3000' }],
  ['a host whose name ends the same', { origin: 'http://evilclips.example:3000' }],
  ['what is no origin', { origin: `http://${HOST}/page` }],
  ['two origins', { origin: `http://${HOST}, https://evil.example` }],
  ['a site that says nothing of its origin', { 'sec-fetch-site': 'cross-site' }],
]

const BODIES: [
  kind: string,
  body: { headers: Record<string, string>; payload: string | Buffer },
][] = [
  ['JSON', { headers: JSON_TYPE, payload: '{"title":"Taken over"}' }],
  [
    'a form',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'title=Taken' },
  ],
  [
    'text',
    { headers: { 'content-type': 'text/plain;charset=UTF-8' }, payload: '{"title":"Taken over"}' },
  ],
  ['a form with files', multipart({ picture: makePng(16, 16) })],
]

/** Every call that changes something: the documented ones and the procedures. */
function listWrites(): { method: 'POST'; url: string }[] {
  const { paths } = describeApi() as { paths: Record<string, Record<string, object>> }
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'get')
      .map((method) => ({
        method: method.toUpperCase() as 'POST',
        url: path.replaceAll(/\{\w+\}/g, String(video)),
      })),
  )
  const mutations = Object.entries(procedures)
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(([name]) => ({ method: 'POST' as const, url: `/trpc/${name}` }))
  expect(Math.min(documented.length, mutations.length)).toBeGreaterThan(15)
  return [...documented, ...mutations]
}

test.each(FOREIGN)(
  'a write from %s is refused, whatever it is and however sent',
  async (_, from) => {
    const through: string[] = []
    for (const { method, url } of listWrites()) {
      const statuses: number[] = []
      for (const [, { headers, payload }] of BODIES) {
        const answer = await send({ method, url, headers: { ...headers, ...from }, payload })
        statuses.push(answer.statusCode)
      }
      // A body that cannot be a call at all is refused for that, before it is asked where it came from.
      const refused = statuses.every((status) => status === 403 || status === 415)
      if (!refused || !statuses.includes(403)) through.push(`${method} ${url}: ${statuses}`)
    }
    expect(through).toEqual([])
  },
)

test('a refused write says which page asked, and which address it reached', async () => {
  const headers = { ...JSON_TYPE, origin: 'https://evil.example' }
  const payload = JSON.stringify({ title: 'Taken over' })
  const answer = await send({ method: 'PATCH', url: `/api/videos/${video}`, headers, payload })
  expect(answer.statusCode).toBe(403)
  expect(answer.body).toContain(
    `The page is at evil.example, the request reached ${HOST}: if both are this site, its proxy has to pass on the Host header`,
  )
})

describe('a mutation', () => {
  const input = encodeURIComponent(JSON.stringify({ id: video, title: 'Taken over' }))
  const batch = encodeURIComponent(JSON.stringify({ 0: { id: 1 }, 1: { id: 1, title: 'Taken' } }))
  test.each<Sent & { status: number }>([
    { method: 'GET', url: `/trpc/video.edit?input=${input}`, status: 405 },
    { method: 'GET', url: `/trpc/video.get,video.edit?batch=1&input=${batch}`, status: 400 },
    { method: 'GET', url: '/trpc/auth.logout', status: 405 },
    { method: 'GET', url: '/trpc/auth.logout?batch=1', status: 405 },
    { method: 'GET', url: '/trpc/auth.logout?_method=POST', status: 405 },
    {
      method: 'GET',
      url: '/trpc/auth.logout',
      headers: { 'x-http-method-override': 'POST' },
      status: 405,
    },
    { method: 'GET', url: '/api/logout', status: 404 },
    {
      url: '/trpc/auth.logout',
      headers: { 'content-type': 'text/plain' },
      payload: '{}',
      status: 415,
    },
    {
      url: '/trpc/auth.logout?batch=1',
      headers: { 'content-type': 'text/plain' },
      payload: '{"0":{}}',
      status: 415,
    },
    {
      url: '/trpc/auth.logout',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'a=b',
      status: 415,
    },
    { url: '/trpc/auth.logout', ...multipart({ a: 'b' }), status: 415 },
    {
      url: '/api/likes',
      headers: { 'content-type': 'text/plain' },
      payload: '{"videoId":1,"isLike":true}',
      status: 415,
    },
  ])('cannot be had by $method $url', async ({ status, ...sent }) => {
    const { statusCode } = await send(sent)
    expect(statusCode).toBe(status)
    const me = await send({ method: 'GET', url: '/api/user' })
    expect(me.statusCode).toBe(200)
  })
})

test('a preflight is answered without leave', async () => {
  for (const url of ['/api/likes', '/trpc/video.edit', '/api/uploads/chunk', '/api/user']) {
    const answer = await send({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(Object.keys(answer.headers).filter((name) => /^access-control/.test(name))).toEqual([])
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
  }
})

test('no answer lets another site read it', async () => {
  for (const url of ['/api/user', '/api/videos', '/trpc/auth.currentUser', '/api/openapi.json']) {
    const { headers } = await send({
      method: 'GET',
      url,
      headers: { origin: 'https://evil.example' },
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test('nothing that was sent has changed anything', async () => {
  const { title } = await readRow(site.db, 'videos', { id: video })
  const { count } = await site.db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect([title, count]).toEqual(['As it was', 1])
})
