import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSharedVideo, openSiteWithPages } from '#test/support/shared-site.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'

let site: TestSite
let https: TestSite
let ann: TestMember
let names: Record<string, string>
beforeAll(async () => {
  site = await openSiteWithPages({ rateLimitScale: 1_000_000 })
  https = await openSiteWithPages({ secureCookies: true, publicUrl: 'https://clips.example' })
  ann = await site.addMember('ann', { isAdmin: true })
  const { id, video } = await addSharedVideo(site, ann)
  const list = { method: 'POST', url: '/trpc/playlist.create', as: ann } as const
  const made = await site.call({ ...list, payload: { title: 'All of it', isPublic: true } })
  const playlist = made.json().result.data.id
  const range = { videoId: id, title: 'The shot', startSeconds: 0, endSeconds: 2 }
  const clipped = await site.post('/api/clips', { as: ann, payload: range })
  const link = { method: 'POST', url: '/trpc/shareLink.create', as: ann } as const
  const shared = await site.call({ ...link, payload: { videoId: id } })
  const token = shared.json().result.data.url.split('/').at(-1)
  await site.db.updateTable('siteSettings').set({ rules: 'Be kind' }).execute()
  names = {
    '{token}': token,
    '{id}': `${id}`,
    '{file}': video,
    '{cdn}': video.replace('/media/', '/cdn/'),
    '{ann}': `${ann.id}`,
    '{playlist}': `${playlist}`,
    '{clip}': `${clipped.json().id}`,
  }
})
afterAll(() => Promise.all([site.close(), https.close()]))

const ask = ({ isAdmin, ...options }: Asked & { as?: TestMember }, on = site) => {
  const url = `${options.url}`.replaceAll(/\{\w+\}/g, (name) => names[name] ?? name)
  return on.call({ method: 'GET', ...(isAdmin && { as: ann }), ...options, url })
}

/** The directives of an answer's policy, by name. */
function readPolicy({ headers }: LightMyRequestResponse): Record<string, string> {
  const parts = `${headers['content-security-policy']}`.split(';')
  return Object.fromEntries(parts.map((part) => part.trim().split(/ (.*)/).slice(0, 2)))
}

/** Hash of the inline script in the stand-in for the built page. */
const INLINE_HASH = `'sha256-${createHash('sha256').update('early()').digest('base64')}'`

const JSON_TYPE = { 'content-type': 'application/json' }
const LARGE = JSON.stringify({ username: 'x'.repeat(70_000) })

const ROUTES = join(import.meta.dirname, '..', '..', '..', 'src', 'client', 'routes', 'tree')
/** Values for the variable parts of addresses. */
const PARTS: Record<string, string> = {
  '/video/$id': '/video/{id}',
  '/clip/$id': '/clip/{clip}',
  '/studio/cut/$id': '/studio/cut/{id}',
  '/studio/moments/$id': '/studio/moments/{id}',
  '/profile/$id': '/profile/{ann}',
  '/squad/$id': '/squad/1',
  '/squad-view/$id': '/squad-view/1',
  '/playlist/$id': '/playlist/{playlist}',
  '/admin/$section': '/admin/members',
  '/s/$token': '/s/{token}',
  '/room/$token': '/room/AAAAAAAAAAAAAAAAAAAAAA',
}

/** The paths of all pages, as the client's routes have them. */
const PATHS = ['public-routes.ts', 'member-routes.ts'].flatMap((name) => {
  const found = readFileSync(join(ROUTES, name), 'utf8').matchAll(/^ {2}path: '([^']+)'/gm)
  return [...found].map(([, path = '']) => path)
})
const PAGES = PATHS.map((path) => PARTS[path] ?? path)

test('every page of the client is known here by an address', () => {
  const routes = ['public-routes.ts', 'member-routes.ts'].flatMap((name) => [
    ...readFileSync(join(ROUTES, name), 'utf8').matchAll(/createRoute\(/g),
  ])
  expect(PATHS).toHaveLength(routes.length)
  expect(PAGES.filter((path) => path.includes('$'))).toEqual([])
})

type Asked = InjectOptions & { isAdmin?: true }

// Every page, for a visitor and for an admin, and every other kind of answer.
const ANSWERS: [what: string, request: Asked, status: number][] = [
  ...PAGES.map((url): [string, Asked, number] => [
    url,
    { url },
    url.startsWith('/admin') ? 404 : 200,
  ]),
  ...PAGES.map((url): [string, Asked, number] => [
    `${url}, for an admin,`,
    { url, isAdmin: true },
    200,
  ]),
  ...['/search?q=a', '/playlist/liked', '/playlist/watch-later'].map(
    (url): [string, Asked, number] => [url, { url }, 200],
  ),
  ['a page that is not there', { url: '/nowhere' }, 404],
  ['a part of the desk that is not there', { url: '/admin/nowhere', isAdmin: true }, 404],
  ['a video’s page that is not there', { url: '/video/999' }, 404],
  ['a list', { url: '/api/videos' }, 200],
  ['a list again, from memory', { url: '/api/videos' }, 200],
  ['a procedure', { url: '/trpc/video.list?input={}' }, 200],
  ['a procedure that fails', { url: '/trpc/video.get?input={"id":999}' }, 404],
  ['a procedure that is not there', { url: '/trpc/none.such' }, 404],
  ['health', { url: '/api/health' }, 200],
  ['the API’s description', { url: '/api/openapi.json' }, 200],
  ['its page', { url: '/api/docs' }, 200],
  ['its page’s script', { url: '/api/docs/start.js' }, 200],
  ['its page’s style', { url: '/api/docs/files/swagger-ui.css' }, 200],
  ['a file', { url: '{file}' }, 200],
  ['a file for a CDN', { url: '{cdn}' }, 200],
  ['part of a file', { url: '{file}', headers: { range: 'bytes=1-2' } }, 206],
  ['no part of a file', { url: '{file}', headers: { range: 'bytes=99-' } }, 416],
  ['a file that is not there', { url: '/media/none/here.mp4' }, 404],
  ['a feed', { url: '/feeds/videos.xml' }, 200],
  ['the site map', { url: '/sitemap.xml' }, 200],
  ['robots.txt', { url: '/robots.txt' }, 200],
  ['the manifest', { url: '/manifest.webmanifest' }, 200],
  ['the service worker', { url: '/service-worker.js' }, 200],
  ['a share without a service worker', { url: '/share', method: 'POST', payload: 'a=b' }, 303],
  ['a short link', { url: '/v/{id}' }, 301],
  ['an oEmbed that is not there', { url: '/oembed?url=http://localhost/video/999' }, 404],
  ['a malformed address', { url: '/api/%E0%A4%A' }, 400],
  ['a call that is wrong', { url: '/api/videos/abc' }, 400],
  ['a call for others', { url: '/api/user' }, 401],
  [
    'a call from elsewhere',
    { url: '/api/logout', method: 'POST', headers: { origin: 'https://evil.example' } },
    403,
  ],
  ['a body of another kind', { url: '/api/login', method: 'POST', payload: 'a=b' }, 415],
  [
    'a body that is too large',
    { url: '/api/login', method: 'POST', payload: LARGE, headers: JSON_TYPE },
    413,
  ],
  ['an address that is too long', { url: `/api/videos/${'x'.repeat(6000)}` }, 414],
]

test.each(ANSWERS)('%s says what browsers may do with it', async (_, request, status) => {
  const answer = await ask(request)
  expect(answer.statusCode).toBe(status)
  const { headers } = answer
  expect(headers['x-content-type-options']).toBe('nosniff')
  const policy = readPolicy(answer)
  const scripts = policy['script-src'] ?? policy['default-src']
  expect(["'self'", "'none'", `'self' ${INLINE_HASH}`]).toContain(scripts)
  expect(policy['object-src'] ?? policy['default-src']).toBe("'none'")
  expect(policy['base-uri']).toBe("'none'")
  expect(["'self'", "'none'"]).toContain(policy['frame-ancestors'])
  expect(headers['content-security-policy']).not.toMatch(/unsafe-eval|https?:|\*/)
  expect(headers['x-request-id']).toMatch(/^[\da-f]{8}$/)
  expect(Object.keys(headers)).not.toContain('x-powered-by')
  expect(Object.keys(headers)).not.toContain('server')
})

test.each(PAGES)('%s runs the one script that stands in it, and nobody else’s', async (url) => {
  const answer = await ask({ url, isAdmin: true })
  expect(answer.body).toContain('<script>early()</script>')
  expect(readPolicy(answer)['script-src']).toBe(`'self' ${INLINE_HASH}`)
})

test.each(ANSWERS.filter(([, , status]) => status < 400))(
  '%s may not be framed by older browsers either, nor tell others where one was',
  async (name, request) => {
    const { headers } = await ask(request)
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    // An address that may hold a secret is sent to nobody, the site's own log included.
    const isSecret = /^\/(auth|link|reset|room|unsubscribe|verify)/.test(name)
    const usual = isSecret ? 'strict-origin' : 'strict-origin-when-cross-origin'
    const policy = name.startsWith('/s/') ? 'no-referrer' : usual
    expect(headers['referrer-policy']).toBe(policy)
  },
)

test.each(['/embed/{id}', '/embed/999'])(
  'any site may frame %s, and it may load only ours',
  async (url) => {
    const answer = await ask({ url })
    const policy = readPolicy(answer)
    expect(policy['frame-ancestors']).toBe('*')
    expect(answer.headers).not.toHaveProperty('x-frame-options')
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(policy).toMatchObject({ 'default-src': "'none'", 'script-src': "'self'" })
    expect(policy['form-action']).toBe("'none'")
    expect(answer.headers['content-security-policy']).not.toMatch(/unsafe|https?:/)
  },
)

test.each([
  ['/media/none/here.mp4', 'cross-origin'],
  ['{file}', 'cross-origin'],
  ['/api/videos', 'same-origin'],
  ['/trpc/auth.currentUser', 'same-origin'],
  ['/', 'same-origin'],
])('%s may be used by pages of %s', async (url, policy) => {
  const answer = await ask({ url })
  expect(answer.headers['cross-origin-resource-policy']).toBe(policy)
})

test('what the first request for a file says of its address changes no later answer', async () => {
  const fresh = await openSiteWithPages()
  const { video } = await addSharedVideo(fresh, await fresh.addMember('bob'))
  const spelled = video.replace('/media', '/%6dedia')
  for (const url of [spelled, video, video]) {
    const { headers } = await fresh.call({ url })
    expect([url, headers['cross-origin-resource-policy']]).toEqual([url, 'cross-origin'])
  }
  await fresh.close()
})

describe('over HTTPS', () => {
  test.each(['/', '/video/1', '/api/videos', '/trpc/video.categories', '/api/docs', '/nowhere'])(
    '%s wants it for a year, for its neighbours too, and keeps its window to itself',
    async (url) => {
      const { headers } = await ask({ url }, https)
      const [, age] =
        /^max-age=(\d+); includeSubDomains/.exec(`${headers['strict-transport-security']}`) ?? []
      expect(Number(age)).toBeGreaterThanOrEqual(31_536_000)
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    },
  )

  test('and never over HTTP', async () => {
    expect((await ask({ url: '/' })).headers).not.toHaveProperty('strict-transport-security')
  })
})

describe('caches between', () => {
  const cacheControl = async (options: InjectOptions & { as?: TestMember }) =>
    (await ask(options)).headers['cache-control']

  test.each([
    '/api/videos',
    '/trpc/auth.currentUser',
    '/api/users/1/notifications',
    '/trpc/settings.sessions',
  ])('keep nothing of what a member is answered by %s', async (url) => {
    expect(await cacheControl({ url, as: ann })).toMatch(/^private(, no-cache)?$/)
    expect(await cacheControl({ url, headers: { authorization: 'Bearer x' } })).toBe('no-store')
  })

  test('keep nothing of an account', async () => {
    expect(await cacheControl({ url: '/api/user', as: ann })).toBe('no-store')
  })
})

test('no address leads to another site', async () => {
  const tries = [
    '//evil.example/',
    '//evil.example/..',
    '/\\evil.example',
    '/%2F%2Fevil.example',
    '/v//evil.example',
    '/v/{id}?t=//evil.example',
    '/v/1%0d%0aLocation:%20https://evil.example',
    '/auth?redirect=https://evil.example',
    '/auth?next=//evil.example',
    '/api/docs/files//evil.example/',
    '/video/{id}/',
  ]
  for (const url of tries) {
    const { statusCode, headers } = await ask({
      url,
      headers: { 'x-forwarded-host': 'evil.example' },
    })
    const { location } = headers
    expect([url, statusCode < 500]).toEqual([url, true])
    if (location !== undefined)
      expect([url, location]).toEqual([url, expect.stringMatching(/^\/video\/\d+$/)])
  }
})
