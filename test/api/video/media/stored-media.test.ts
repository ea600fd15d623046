import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { hasNginx, startNginx, trustOnly } from '#test/support/deployed-proxy.ts'
import { longTest } from '#test/support/long-form.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { askAndStall, getRequest } from '#test/support/stalled-client.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

const BYTES = randomBytes(300_000)
/** More than what lies between a store and a client that reads nothing. */
const LARGE = randomBytes(24 * 1024 * 1024)
const CDN = 'https://cdn.example.org'

let server: Awaited<ReturnType<typeof startS3Server>>
let line: Awaited<ReturnType<typeof openBreakableLine>>
/** Of the same bucket: one that streams, one that redirects, and one behind a CDN. */
let site: TestSite
let redirecting: TestSite
let withCdn: TestSite

async function openSite(more: Record<string, string>, prefix: string) {
  const variables = server.mediaVariables(prefix, line.origin)
  const { media } = readConfig({ ...variables, ...more })
  return openTestSite({ media })
}

beforeAll(async () => {
  server = await startS3Server()
  line = await openBreakableLine(Number(new URL(server.endpoint).port))
  site = await openSite({}, 'streaming')
  redirecting = await openSite({ MEDIA_DELIVERY: 'redirect' }, 'redirecting')
  withCdn = await openSite({ MEDIA_PUBLIC_URL: CDN }, 'cdn')
  await site.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => line.mend())
afterAll(async () => {
  await Promise.all([site, redirecting, withCdn].map((one) => one.close()))
  await line.stop()
  await server.stop()
})

/** A video whose file is in the store alone. */
async function addStored(
  on: TestSite,
  { name = 'video.mp4', bytes = BYTES, isHidden = false } = {},
) {
  const owner = await on.addMember(`m${randomBytes(6).toString('hex')}`)
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  const key = `media/${mediaKey}/${name}`
  await on.media.put([{ key, bytes }])
  const url = `/${key}`
  const id = await on.addVideo(owner, {
    ...{ mediaKey, videoUrl: url },
    ...(isHidden && { contentApproved: 0 }),
  })
  return { id, url, key, owner }
}

type Asked = { headers?: Record<string, string>; method?: 'GET' | 'HEAD'; as?: TestMember }
const ask = (on: TestSite, url: string, asked: Asked = {}) => on.get(url, asked)
const port = () => (site.app.server.address() as AddressInfo).port

test('a file that is in the store alone comes whole, in parts, and not at all when it is known', async () => {
  const { url } = await addStored(site)
  const whole = await ask(site, url)
  expect(whole.statusCode).toBe(200)
  expect(whole.rawPayload.equals(BYTES)).toBe(true)
  expect(whole.headers).toMatchObject({
    'accept-ranges': 'bytes',
    'content-type': 'video/mp4',
    'content-length': `${BYTES.length}`,
    'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
    etag: expect.stringMatching(/^"[^"]+"$/),
  })
  const head = await ask(site, url, { method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, `${BYTES.length}`])
  const { etag = '' } = whole.headers
  const part = await ask(site, url, { headers: { range: 'bytes=1000-1999', 'if-range': etag } })
  expect(part.statusCode).toBe(206)
  expect(part.headers['content-range']).toBe(`bytes 1000-1999/${BYTES.length}`)
  expect(part.rawPayload.equals(BYTES.subarray(1000, 2000))).toBe(true)
  const end = await ask(site, url, { headers: { range: 'bytes=-5' } })
  expect(end.rawPayload.equals(BYTES.subarray(-5))).toBe(true)
  const other = await ask(site, url, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } })
  expect(other.statusCode).toBe(200)
  const outside = await ask(site, url, { headers: { range: `bytes=${BYTES.length}-` } })
  expect([outside.statusCode, outside.headers['content-range']]).toEqual([
    416,
    `bytes */${BYTES.length}`,
  ])
  expect((await ask(site, url, { headers: { 'if-none-match': etag } })).statusCode).toBe(304)
})

test('an empty file is an empty answer, and one that is gone from the store is not found', async () => {
  const empty = await addStored(site, { bytes: Buffer.alloc(0) })
  const answer = await ask(site, empty.url)
  expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0])
  const { url, key } = await addStored(site, { bytes: LARGE })
  expect((await ask(site, url, { headers: { range: 'bytes=0-9' } })).statusCode).toBe(206)
  await site.media.removePrefix(key)
  expect((await ask(site, url)).statusCode).toBe(404)
})

test('what is asked for plays on when the store goes away, with the same tag; the rest is a 503', async () => {
  const cutOff = await openSite({}, 'cut-off')
  const { url, key } = await addStored(cutOff)
  const never = await addStored(cutOff)
  const known = await addStored(cutOff)
  expect((await ask(cutOff, known.url, { method: 'HEAD' })).statusCode).toBe(200)
  const stored = await ask(cutOff, url)
  await until(() => existsSync(cutOff.media.localPath(key) ?? ''))
  line.breakDown()
  const copied = await ask(cutOff, url)
  expect([copied.statusCode, copied.headers.etag]).toEqual([200, stored.headers.etag])
  expect(copied.rawPayload.equals(BYTES)).toBe(true)
  const away = await ask(cutOff, never.url)
  expect([away.statusCode, away.body]).toEqual([
    503,
    'This file cannot be reached at the moment. Please try again soon.',
  ])
  expect(Number(away.headers['retry-after'])).toBeGreaterThan(0)
  expect(away.headers['cache-control']).toBe('no-store')
  // By this players see whether to go on.
  expect((await ask(cutOff, known.url, { method: 'HEAD' })).statusCode).toBe(503)
  expect((await ask(cutOff, url, { method: 'HEAD' })).statusCode).toBe(200)
  await cutOff.close()
})

test('a copy that goes before it is opened is read from the store', async () => {
  const { url, key } = await addStored(site)
  const copy = await site.media.localCopy(key)
  copy?.release()
  await rm(copy?.path ?? '')
  const whole = await ask(site, url)
  expect([whole.statusCode, whole.rawPayload.equals(BYTES)]).toEqual([200, true])
})

test('a store that breaks off in the middle is a broken connection and never a short answer', async () => {
  const { url } = await addStored(site, { bytes: LARGE })
  await ask(site, url, { method: 'HEAD' })
  line.breakAfter(8 * 1024 * 1024)
  const answer = await fetch(`http://127.0.0.1:${port()}${url}`)
  expect([answer.status, answer.headers.get('content-length')]).toEqual([200, `${LARGE.length}`])
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

longTest(
  'a client that reads nothing holds the store back, and ends the reading when it goes',
  async () => {
    const { url } = await addStored(site, { bytes: LARGE })
    await until(() => line.countOpen() <= 1)
    const before = line.countOpen()
    const clients = await Promise.all([1, 2, 3].map(() => askAndStall(port(), getRequest(url))))
    expect(line.countOpen()).toBeGreaterThan(before)
    for (const client of clients) client.destroy()
    await until(() => line.countOpen() <= before)
  },
)

test('a file is left to the store, for as long as its audience allows', async () => {
  const { url, owner } = await addStored(redirecting, { isHidden: true })
  const open = await addStored(redirecting)
  const seconds = (location: string) => Number(new URL(location).searchParams.get('X-Amz-Expires'))
  const own = await ask(redirecting, url, { as: owner })
  expect([own.statusCode, own.headers['cache-control']]).toEqual([302, 'private, max-age=30'])
  expect(seconds(`${own.headers.location}`)).toBeLessThanOrEqual(60)
  expect((await ask(redirecting, url)).statusCode).toBe(404)
  const answer = await ask(redirecting, open.url)
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([
    302,
    'private, max-age=1800',
  ])
  expect(seconds(`${answer.headers.location}`)).toBeLessThanOrEqual(3600)
  for (const { headers } of [own, answer]) {
    const range = { range: 'bytes=5-9' }
    const part = await fetch(`${headers.location}`, { headers: range })
    expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4'])
    expect(Buffer.from(await part.arrayBuffer()).equals(BYTES.subarray(5, 10))).toBe(true)
  }
  const head = await ask(redirecting, open.url, { method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length']]).toEqual([200, `${BYTES.length}`])
  const policy = `${(await ask(redirecting, '/api/health')).headers['content-security-policy']}`
  for (const part of ['media-src', 'img-src', 'connect-src']) {
    expect(policy).toMatch(new RegExp(`${part} [^;]*${line.origin}`))
  }
})

test.each(['hls.m3u8', 'captions-1.vtt'])(
  '%s, which names files beside it, comes from here',
  async (name) => {
    const { url } = await addStored(redirecting, { name })
    expect((await ask(redirecting, url)).statusCode).toBe(200)
    const behind = await addStored(withCdn, { name })
    expect((await ask(withCdn, behind.url)).statusCode).toBe(200)
  },
)

test('a download that is left to the store keeps its name', async () => {
  const { id, owner } = await addStored(redirecting)
  const title = 'Überschlag "am" See'
  await redirecting.db.updateTable('videos').set({ title }).where('id', '=', id).execute()
  const answer = await ask(redirecting, `/api/videos/${id}/download`, { as: owner })
  expect(answer.statusCode).toBe(302)
  const file = await fetch(`${answer.headers.location}`)
  expect(decodeURIComponent(`${file.headers.get('content-disposition')}`)).toContain('Überschlag')
  expect(Buffer.from(await file.arrayBuffer()).equals(BYTES)).toBe(true)
})

test('what everybody may see is left to the CDN, which gets nothing else', async () => {
  const open = await addStored(withCdn)
  const hidden = await addStored(withCdn, { isHidden: true })
  const address = (url: string) => url.replace('/media/', '/cdn/')
  const answer = await ask(withCdn, open.url)
  expect([answer.statusCode, answer.headers.location]).toEqual([302, CDN + address(open.url)])
  expect(answer.headers['cache-control']).toBe('private, max-age=60')
  expect((await ask(withCdn, open.url, { method: 'HEAD' })).statusCode).toBe(200)
  const own = await ask(withCdn, hidden.url, { as: hidden.owner })
  expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-cache'])

  const part = await ask(withCdn, address(open.url), { headers: { range: 'bytes=0-9' } })
  expect(part.statusCode).toBe(206)
  expect(part.rawPayload.equals(BYTES.subarray(0, 10))).toBe(true)
  expect(part.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  for (const as of [undefined, hidden.owner]) {
    const refused = await ask(withCdn, address(hidden.url), as && { as })
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([404, 'no-store'])
  }
})

test('a browser that asks a CDN whether it may send Range is told so', async () => {
  const { url } = await addStored(withCdn, { isHidden: true })
  const answer = await withCdn.call({
    ...{ method: 'OPTIONS', url: url.replace('/media/', '/cdn/') },
    headers: {
      origin: 'https://clips.example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'range',
    },
  })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Range',
    'access-control-max-age': '86400',
  })
})

test.runIf(hasNginx)('nginx sends what the store has, and keeps it', async () => {
  const settings = { xAccelPrefix: '/_media', trustedProxies: ['127.0.0.1'] }
  const { media } = readConfig({ ...server.mediaVariables('nginx', line.origin) })
  const behind = await openTestSite({ ...settings, media })
  await behind.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = behind.app.server.address() as AddressInfo
  const { dataFolder } = behind
  const host = 'localhost'
  const nginx = await startNginx({ port, dataFolder, host, storeOrigin: line.origin })
  const distrust = trustOnly(nginx.ca)
  try {
    const bytes = LARGE.subarray(0, 5_000_000)
    const { url, key } = await addStored(behind, { bytes })
    const fetchPart = async (headers: Record<string, string> = {}, method = 'GET') => {
      const address = `https://${host}:${nginx.ports.https}${url}`
      const answer = await fetch(address, { headers, method })
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const whole = await fetchPart({ cookie: 'clutch=secret' })
    expect(whole.answer.status).toBe(200)
    expect(whole.bytes.equals(bytes)).toBe(true)
    const headers = Object.fromEntries(whole.answer.headers)
    const etag = `${headers.etag}`
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
      'x-content-type-options': 'nosniff',
    })
    const direct = await ask(behind, url, { method: 'HEAD' })
    expect([etag, headers['last-modified']]).toEqual([direct.headers.etag, undefined])
    const head = await fetchPart({}, 'HEAD')
    expect(head.answer.headers.get('content-length')).toBe(`${bytes.length}`)
    expect((await fetchPart({ 'if-none-match': etag })).answer.status).toBe(304)
    const range = 'bytes=2000000-3999999'
    const expectPart = async (more: Record<string, string> = {}) => {
      const part = await fetchPart({ range, ...more })
      expect([part.answer.status, part.answer.headers.get('etag')]).toEqual([206, etag])
      expect(part.bytes.equals(bytes.subarray(2_000_000, 4_000_000))).toBe(true)
    }
    await expectPart({ 'if-range': etag })
    expect((await fetchPart({ range, 'if-range': '"other"' })).answer.status).toBe(200)
    // What nginx kept is there without the store; nothing was copied here.
    line.breakDown()
    expect(behind.media.localPath(key)).toBeUndefined()
    await expectPart()
    const inside = await fetch(
      `https://${host}:${nginx.ports.https}/_media-store/clutch/nginx/${key}`,
    )
    expect(inside.status).toBe(404)
  } finally {
    distrust()
    await nginx.stop()
    await behind.close()
  }
})
