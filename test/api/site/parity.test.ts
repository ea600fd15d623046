import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCaller } from '#server/app-router.ts'
import { createContext } from '#server/platform/context.ts'
import { describeFailure } from '#server/platform/trpc.ts'
import { restRoutes } from '#server/rest-routes.ts'
import { addBegunSignIn } from '#test/support/begun-sign-in.ts'
import { makeClip } from '#test/support/clips.ts'
import { addRows } from '#test/support/rows.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { multipart } from '#test/support/upload-client.ts'
import { addWaitingDevice } from '#test/support/waiting-device.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

/** The same members, videos, comments and notifications on every site, with the same ids. */
async function openSite() {
  const site = await openTestSite()
  const ann = await addMemberWithPassword(site, 'ann')
  const bob = await addMemberWithPassword(site, 'bob')
  const at = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`
  await site.addVideo(ann, {
    title: 'Ace on Mirage',
    publishedAt: at(1),
    category: 'CS2',
    duration: 60,
  })
  await site.addVideo(ann, { title: 'Heli raid', publishedAt: at(2), category: 'Rust' })
  await site.addVideo(ann, { title: 'Not yet approved', publishedAt: at(3), contentApproved: 0 })
  await site.addVideo(bob, { title: 'Who was it', publishedAt: at(4), isAnonymous: 1 })
  const videoUrl = '/media/none/video.mp4'
  await site.addVideo(ann, { title: 'Cut before', publishedAt: at(1), videoUrl })
  const times = { parkedAt: new Date().toISOString(), createdAt: at(1) }
  for (const mediaKey of PARKED_KEYS) {
    const processingState = 'deleting' as const
    const row = { title: 'Parked', publishedAt: at(1), videoUrl, mediaKey, processingState }
    const parked = await site.addVideo(ann, row)
    await storeFiles(site, mediaKey, { 'video.mp4': '' })
    const cut = { videoId: parked, sourceVideoId: 5, replaces: 1 as const, ...times }
    await addRows(site.db, 'cuts', { ...cut, parts: JSON.stringify(HALF) })
  }
  const said = { videoId: 1, userId: bob.id, content: 'What a shot', createdAt: at(5) }
  await site.db.insertInto('comments').values(said).execute()
  const marker = { userId: ann.id, source: 'chapter', atSeconds: 8, weight: 1 } as const
  await addRows(site.db, 'moments', { videoId: 1, ...marker, createdAt: at(5) })
  const base = { userId: ann.id, sourceUserId: bob.id, title: 'New like', message: 'bob liked it' }
  for (const minute of [6, 7]) {
    const row = { ...base, type: 'like' as const, createdAt: at(minute) }
    await site.db.insertInto('notifications').values(row).execute()
  }
  // Calls a procedure with the context that a real request gives.
  site.app.post('/direct/:procedure', async (request, reply) => {
    const context = await createContext(site.deps, { req: request, res: reply })
    const { procedure } = request.params as { procedure: string }
    try {
      return { output: await findProcedure(createCaller(context), procedure)(inputOf(request)) }
    } catch (error) {
      return { failure: describeFailure(error) }
    }
  })
  const begun = await addBegunSignIn(site, ann)
  await addWaitingDevice(site)
  return {
    site,
    code: begun.code,
    people: { ann, bob, begun: { ...ann, cookie: begun.cookie }, visitor: undefined } as Record<
      string,
      TestMember | undefined
    >,
  }
}

type Opened = Awaited<ReturnType<typeof openSite>>
let rest: Opened
let direct: Opened
const uploadIds = new Map<TestSite, string>()

beforeAll(async () => {
  rest = await openSite()
  direct = await openSite()
  const path = join(rest.site.dataFolder, 'clip.mp4')
  await makeClip({ path, seconds: 3 })
  const bytes = await readFile(path)
  for (const { site, people } of [rest, direct]) {
    const as = people.ann as TestMember
    const payload = { fileName: 'a.mp4', fileSize: bytes.length, metadata: { title: 'A clip' } }
    const url = '/api/uploads/initialize'
    const { uploadId } = (await site.post(url, { as, payload })).json()
    const form = { uploadId, chunkIndex: 0, totalChunks: 1, chunk: bytes }
    await site.post('/api/uploads/chunk', { as, ...multipart(form) })
    uploadIds.set(site, uploadId)
  }
})
afterAll(() => Promise.all([rest.site.close(), direct.site.close()]))

const findProcedure = (caller: unknown, name: string) =>
  name.split('.').reduce((found, part) => (found as Record<string, unknown>)[part], caller) as (
    input: unknown,
  ) => Promise<unknown>

const inputOf = (request: FastifyRequest) => (request.body as { input?: unknown }).input

const WAITING_DEVICE = 'BBBB-CCCC.secret'
const PARKED_KEYS = ['e'.repeat(32), 'f'.repeat(32)]
const MONTAGE = {
  items: [{ videoId: 8, fromSeconds: 0, toSeconds: 2 }],
  transition: 'fade',
  titleCard: false,
}
const HALF = [{ fromSeconds: 0, toSeconds: 1.5 }]
const file = { fileName: 'b.mp4', fileSize: 5, fileType: 'video/mp4' }
const carl = { username: 'carl', email: 'c@example.org', displayName: 'Carl', password: PASSWORD }

/** The calls in this order: caller, path, status of the documented path, and body. */
const CASES: [who: string, call: string, status: number, body?: Record<string, unknown>][] = [
  ['ann', 'GET /user', 200],
  ['visitor', 'GET /user', 401],
  ['visitor', 'GET /users/1', 200],
  ['bob', 'GET /users/1', 200],
  ['visitor', 'GET /users/99', 404],
  ['visitor', 'GET /users/abc', 400],
  ['visitor', 'GET /users/1/videos', 200],
  ['ann', 'GET /users/1/videos?limit=2', 200],
  ['visitor', 'GET /users/99/videos', 404],
  ['visitor', 'GET /videos', 200],
  ['bob', 'GET /videos?_t=5&limit=1', 200],
  ['visitor', 'GET /videos?limit=0', 400],
  ['visitor', 'GET /videos?cursor=nonsense', 400],
  ['visitor', 'GET /videos/1', 200],
  ['visitor', 'GET /videos/3', 404],
  ['visitor', 'GET /videos/4', 200],
  ['bob', 'GET /videos/4', 200],
  ['visitor', 'GET /videos/0', 400],
  ['visitor', 'GET /videos/category/CS2?_t=1', 200],
  ['visitor', 'GET /videos/category/Chess', 404],
  ['visitor', 'GET /search?q=ace', 200],
  ['visitor', 'GET /search?q=ace&sort=nothing', 400],
  ['visitor', 'GET /search?q=', 400],
  ['visitor', 'GET /categories', 200],
  ['visitor', 'GET /videos/1/comments', 200],
  ['visitor', 'GET /videos/3/comments', 404],
  ['visitor', 'GET /comments/1/replies?limit=1', 200],
  ['visitor', 'GET /comments/99/replies', 404],
  ['ann', 'POST /comments', 201, { videoId: 1, content: 'Thanks', parentId: 1, userId: 1 }],
  ['ann', 'POST /comments', 400, { videoId: 1, content: '  ' }],
  ['ann', 'POST /comments', 400, { videoId: 2, content: 'Thanks', parentId: 1 }],
  ['ann', 'POST /comments', 403, { videoId: 1, content: 'Thanks', userId: 2 }],
  ['ann', 'POST /comments', 404, { videoId: 99, content: 'Thanks', userId: 2 }],
  ['visitor', 'POST /comments', 401, { videoId: 1 }],
  ['bob', 'POST /clips', 201, { videoId: 1, title: 'The ace', startSeconds: 1, endSeconds: 9.5 }],
  ['bob', 'POST /clips', 400, { videoId: 1, title: 'The ace', startSeconds: 50, endSeconds: 70 }],
  ['bob', 'POST /clips', 404, { videoId: 3, title: 'The ace', startSeconds: 1, endSeconds: 9 }],
  ['visitor', 'GET /clips', 200],
  ['visitor', 'GET /clips?limit=0', 400],
  ['visitor', 'GET /clips/best', 200],
  ['visitor', 'GET /clips/best?cursor=nonsense', 400],
  ['visitor', 'GET /clips/search?q=ace', 200],
  ['visitor', 'GET /clips/search?q=', 400],
  ['bob', 'GET /clips/mine', 200],
  ['visitor', 'GET /clips/mine', 401],
  ['visitor', 'GET /clips/1', 200],
  ['visitor', 'GET /clips/99', 404],
  ['visitor', 'GET /videos/1/clips?limit=1', 200],
  ['visitor', 'GET /videos/3/clips', 404],
  ['visitor', 'GET /users/1/clips', 200],
  ['visitor', 'GET /users/99/clips', 404],
  ['bob', 'PATCH /clips/1', 200, { title: 'What an ace' }],
  ['visitor', 'PATCH /clips/1', 401, { title: 'Mine now' }],
  ['ann', 'POST /clips/1/like', 200, { isLiked: true }],
  ['ann', 'POST /clips/99/like', 404, { isLiked: true }],
  ['visitor', 'POST /clips/1/views', 200, { watchedSeconds: 1 }],
  ['visitor', 'POST /clips/99/views', 404, { watchedSeconds: 1 }],
  ['bob', 'POST /clips/1/file', 200],
  ['visitor', 'POST /clips/1/file', 401],
  ['bob', 'DELETE /clips/1', 204],
  ['bob', 'DELETE /clips/1', 404],
  ['visitor', 'GET /videos/1/moments', 200],
  ['visitor', 'GET /videos/3/moments', 404],
  ['bob', 'POST /videos/1/reactions', 201, { second: 2, kind: 'gg' }],
  ['bob', 'POST /videos/1/reactions', 400, { second: 99, kind: 'gg' }],
  ['visitor', 'POST /videos/1/reactions', 401, { second: 2, kind: 'gg' }],
  ['visitor', 'GET /videos/1/reactions', 200],
  ['visitor', 'GET /videos/3/reactions', 404],
  ['bob', 'POST /videos/1/moments', 201, { atSeconds: 2 }],
  ['bob', 'POST /videos/1/moments', 400, { atSeconds: 99 }],
  ['visitor', 'POST /videos/1/moments', 401, { atSeconds: 2 }],
  ['bob', 'POST /videos/1/moments/forgotten', 403, { atSeconds: 2 }],
  ['ann', 'POST /videos/1/moments/forgotten', 201, { atSeconds: 2 }],
  ['bob', 'DELETE /moments/2', 204],
  ['bob', 'DELETE /moments/2', 404],
  ['ann', 'DELETE /videos/1/moments/timeline', 204],
  ['bob', 'DELETE /videos/1/moments/timeline', 403],
  ['ann', 'POST /subscriptions', 201, { channelId: 2, subscriberId: 1 }],
  ['ann', 'POST /subscriptions', 200, { channelId: 2 }],
  ['ann', 'POST /subscriptions', 400, { channelId: 1 }],
  ['ann', 'POST /subscriptions', 403, { channelId: 2, subscriberId: 2 }],
  ['ann', 'POST /subscriptions', 404, { channelId: 99, subscriberId: 2 }],
  ['ann', 'DELETE /subscriptions/1/2', 204],
  ['ann', 'DELETE /subscriptions/1/2', 204],
  ['ann', 'DELETE /subscriptions/2/1', 403],
  ['ann', 'DELETE /subscriptions/1/99', 404],
  ['bob', 'POST /likes', 200, { videoId: 1, isLike: true }],
  ['bob', 'POST /likes', 200, { commentId: 1, isLike: false }],
  ['bob', 'POST /likes', 400, { videoId: 1, commentId: 1, isLike: true }],
  ['bob', 'POST /likes', 400, { videoId: 1, isLike: 'yes' }],
  ['bob', 'POST /likes', 403, { videoId: 1, isLike: true, userId: 1 }],
  ['bob', 'POST /likes', 404, { videoId: 3, isLike: true, userId: 1 }],
  ['ann', 'POST /share-links', 201, { videoId: 1, note: 'For Ben', maxViews: 3 }],
  ['ann', 'POST /share-links', 400, { videoId: 1, playlistId: 1 }],
  ['bob', 'POST /share-links', 403, { videoId: 1 }],
  ['ann', 'GET /share-links?videoId=1', 200],
  ['bob', 'GET /share-links?videoId=1', 403],
  ['visitor', 'GET /share-links?videoId=1', 401],
  ['bob', 'DELETE /share-links/1', 404],
  ['ann', 'DELETE /share-links/1', 204],
  ['visitor', 'POST /device/code', 200, { name: 'clutch on a PC' }],
  ['visitor', 'POST /device/code', 400, { name: '' }],
  ['visitor', 'POST /device/token', 200, { deviceCode: WAITING_DEVICE }],
  ['visitor', 'POST /device/token', 404, { deviceCode: 'BBBB-BBBB.none' }],
  ['ann', 'DELETE /token', 400],
  ['ann', 'POST /uploads/suggest', 200, { fileName: 'Rust 2026.11.21 - 22.48.17.03.mp4' }],
  ['ann', 'POST /uploads/suggest', 400, { fileName: '' }],
  ['ann', 'GET /uploads', 200],
  ['visitor', 'GET /uploads', 401],
  ['bob', 'POST /uploads/initialize', 201, { ...file, metadata: { title: 'Clip', userId: 1 } }],
  ['bob', 'POST /uploads/initialize', 400, { ...file, metadata: { title: 'x' } }],
  ['bob', 'POST /uploads/initialize', 413, { ...file, fileSize: 6e8, metadata: { title: 'Clip' } }],
  ['bob', 'POST /uploads/{uploadId}/link', 404],
  ['ann', 'POST /uploads/{uploadId}/link', 200],
  ['bob', 'POST /uploads/complete', 404, { uploadId: '{uploadId}' }],
  ['ann', 'POST /uploads/complete', 400, { uploadId: '{uploadId}', thumbnailUrl: '/media/x.jpg' }],
  ['ann', 'POST /uploads/complete', 200, { uploadId: '{uploadId}', thumbnailUrl: null }],
  ['ann', 'POST /uploads/complete', 200, { uploadId: '{uploadId}' }],
  ['bob', 'DELETE /uploads/{uploadId}', 404],
  ['ann', 'DELETE /uploads/{uploadId}', 204],
  ['ann', 'POST /videos/8/cut', 202, { as: 'new', parts: HALF }],
  ['ann', 'POST /videos/8/cut', 400, { as: 'new', parts: [] }],
  ['ann', 'GET /videos/8/cut', 200],
  ['bob', 'GET /videos/8/cut', 403],
  ['ann', 'DELETE /videos/9', 204],
  ['ann', 'POST /clips', 201, { videoId: 8, title: 'All of it', startSeconds: 0, endSeconds: 2.5 }],
  ['ann', 'POST /clips/2/video', 202],
  ['bob', 'POST /clips/2/video', 403],
  ['ann', 'POST /montages', 202, { title: 'Best of', ...MONTAGE }],
  ['ann', 'POST /montages', 400, { title: 'Best of', ...MONTAGE, items: [] }],
  ['bob', 'DELETE /videos/5/cut/old', 403],
  ['ann', 'POST /videos/5/cut/bring-back', 204],
  ['ann', 'DELETE /videos/5/cut/old', 204],
  ['ann', 'DELETE /videos/5/cut/old', 409],
  ['ann', 'POST /videos/5/cut/bring-back', 409],
  ['ann', 'PATCH /videos/1', 200, { title: 'Ace on Dust', tags: ['ace'], viewCount: 9 }],
  ['ann', 'PATCH /videos/1', 200, {}],
  ['ann', 'PATCH /videos/1', 400, { category: 'Chess' }],
  ['bob', 'PATCH /videos/1', 403, { title: 'Mine now' }],
  ['bob', 'PATCH /videos/3', 404, { title: 'Mine now' }],
  ['bob', 'DELETE /videos/1', 403],
  ['ann', 'DELETE /videos/1', 204],
  ['ann', 'DELETE /videos/1', 404],
  ['ann', 'GET /users/1/notifications?limit=1', 200],
  ['bob', 'GET /users/1/notifications', 403],
  ['visitor', 'GET /users/1/notifications', 401],
  ['ann', 'PATCH /notifications/1/read', 200],
  ['ann', 'PATCH /notifications/1/read', 200],
  ['bob', 'PATCH /notifications/1/read', 404],
  ['ann', 'PATCH /users/1/notifications/read-all', 200],
  ['bob', 'PATCH /users/1/notifications/read-all', 403],
  ['ann', 'DELETE /notifications/1', 204],
  ['ann', 'DELETE /notifications/1', 404],
  ['visitor', 'POST /register', 201, carl],
  ['visitor', 'POST /register', 409, { ...carl, username: 'CARL', email: 'd@example.org' }],
  ['visitor', 'POST /register', 400, { ...carl, email: 'nobody' }],
  ['visitor', 'POST /login', 200, { username: 'carl', password: PASSWORD, rememberMe: true }],
  ['visitor', 'POST /login', 401, { username: 'carl', password: 'not this one' }],
  ['visitor', 'POST /login', 400, { username: 'c', password: PASSWORD }],
  ['begun', 'POST /login/code', 401, { code: '000000' }],
  ['begun', 'POST /login/code', 200, { code: '{code}' }],
  ['begun', 'POST /login/code', 401, { code: '{code}' }],
  ['bob', 'POST /logout', 204],
  ['bob', 'GET /user', 401],
]

const seen = new Map<string, number[]>()

test.each(CASES)('%s: %s answers %s as its procedure does', async (who, call, status, body) => {
  const [method = '', address = ''] = call.split(' ')
  const addressAt = (site: TestSite) => address.replace('{uploadId}', `${uploadIds.get(site)}`)
  const { route, input } = findRoute(method, addressAt(direct.site))
  seen.set(route.procedure, [...(seen.get(route.procedure) ?? []), status])

  const payload = fill(body, rest.site)
  const asked = await rest.site.call({
    ...(rest.people[who] && { as: rest.people[who] }),
    method: method as 'GET',
    url: `/api${addressAt(rest.site)}`,
    ...(payload && { payload }),
  })
  const answered = await direct.site.post(`/direct/${route.procedure}`, {
    ...(direct.people[who] && { as: direct.people[who] }),
    payload: { input: { ...input, ...fill(body, direct.site) } },
  })
  expect(asked.statusCode).toBe(status)
  const { output, failure } = answered.json()
  if (call === 'GET /user' && status === 401) {
    expect([output, asked.body]).toEqual([null, 'You are not signed in.'])
  } else if (failure) {
    expect([asked.statusCode, asked.body]).toEqual([failure.status, failure.message])
    expect(asked.headers['content-type']).toBe('text/plain; charset=utf-8')
  } else if (status === 204) {
    expect([asked.body, output]).toEqual(['', undefined])
  } else if (route.paged) {
    expect(comparable(asked.json())).toEqual(comparable(output.items))
    expect(cursorOf(asked.headers.link)).toBe(output.nextCursor)
  } else {
    const shown = route.present ? route.present(output as never) : output
    expect(comparable(asked.json())).toEqual(comparable(shown))
  }
  expect(cookieOf(asked)).toEqual(cookieOf(answered))
})

test('every documented path was compared, in success and in failure', () => {
  const neverFails = ['video.categories', 'auth.logout']
  // Tokens call no procedure directly.
  const neverSucceeds = ['apiToken.revokeOwn']
  for (const { procedure } of restRoutes) {
    const statuses = seen.get(procedure) ?? []
    expect(
      statuses.some((status) => status < 300) || neverSucceeds.includes(procedure),
      procedure,
    ).toBe(true)
    const fails = statuses.some((status) => status >= 400)
    expect(fails || neverFails.includes(procedure), procedure).toBe(true)
  }
})

/** The route of an address, and what its parts and query say. */
function findRoute(method: string, address: string) {
  const [path = '', query] = address.split('?')
  for (const route of [...restRoutes].sort(
    (a, b) => a.path.split(':').length - b.path.split(':').length,
  )) {
    const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    const match = new RegExp(`^${route.path.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path)
    if (!match || route.method !== method) continue
    const parts = Object.fromEntries(names.map((name, index) => [name, match[index + 1]]))
    return { route, input: { ...Object.fromEntries(new URLSearchParams(query)), ...parts } }
  }
  throw new Error(`There is no documented path ${method} ${path}.`)
}

function fill(body: Record<string, unknown> | undefined, site: TestSite) {
  if (body?.code === '{code}') return { code: site === rest.site ? rest.code : direct.code }
  if (!body?.uploadId) return body
  return { ...body, uploadId: uploadIds.get(site) }
}

/** Times and random keys differ from site to site. */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer)
  return JSON.parse(
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/[0-9a-f]{32}/g, '<key>')
      .replaceAll(/-[0-9a-f]{12}(?=\.\w)/g, '-<attempt>')
      .replaceAll(/\/s\/[\w-]{22}/g, '<link>')
      .replaceAll(/[B-Z]{4}-[B-Z]{4}(\.[\w-]{43})?/g, '<code>'),
  )
}

function cursorOf(link: unknown): string | null {
  const address = /<([^>]+)>; rel="next"/.exec(`${link ?? ''}`)?.[1]
  return address ? new URL(address, 'http://site').searchParams.get('cursor') : null
}

/** Everything of a cookie but its token. */
function cookieOf(answer: { cookies: { name: string; value: string }[] }) {
  return answer.cookies.map((cookie) => ({
    ...cookie,
    value: cookie.value === '' ? '' : '<token>',
  }))
}
