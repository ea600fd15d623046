import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startAccelProxy } from '#test/support/accel-proxy.ts'
import { hasNginx, startNginx, trustOnly } from '#test/support/deployed-proxy.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { storedPath, storedRoot, storeFiles } from '#test/support/stored-files.ts'
import { openTestSite } from '#test/support/test-site.ts'

const BYTES = randomBytes(300_000)
const PREFIX = '/_media'

const site = setUpTestSite({ xAccelPrefix: PREFIX, trustedProxies: ['127.0.0.1'] })
const { ann } = setUpFileMembers(site, ['ann'])
let videoId: number
let url: string
let port: number

beforeAll(async () => {
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  await storeFiles(site, mediaKey, { 'video.mp4': BYTES })
  url = `/media/${mediaKey}/video.mp4`
  videoId = await site.addVideo(ann, { mediaKey, videoUrl: url })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
  // Tests may run as root, and nginx then works as another member.
  for (const path of [site.dataFolder, storedRoot(site), storedPath(site, mediaKey)])
    await chmod(path, 0o755)
})
afterEach(() => approve(1))

const approve = (contentApproved: 0 | 1) =>
  site.db.updateTable('videos').set({ contentApproved }).where('id', '=', videoId).execute()

const fetchFrom = async (address: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(address, { headers, method })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

async function startTrustedNginx() {
  const nginx = await startNginx({ port, dataFolder: site.dataFolder, host: 'localhost' })
  const distrust = trustOnly(nginx.ca)
  const stop = () => nginx.stop().finally(distrust)
  return { origin: `https://localhost:${nginx.ports.https}`, stop }
}

const proxies = [
  {
    name: 'a proxy that honours X-Accel-Redirect',
    start: () => startAccelProxy({ port, prefix: PREFIX, mediaFolder: storedRoot(site) }),
  },
  ...(hasNginx
    ? [
        {
          name: 'nginx as deploy/ sets it up',
          start: startTrustedNginx,
        },
      ]
    : []),
]

describe.each(proxies)('$name', ({ start }) => {
  let proxy: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    proxy = await start()
  })
  afterAll(() => proxy.stop())

  test('sends the file, whole and in parts', async () => {
    const whole = await fetchFrom(proxy.origin + url)
    expect(whole.answer.status).toBe(200)
    expect(whole.bytes.equals(BYTES)).toBe(true)
    expect(whole.answer.headers.get('content-type')).toBe('video/mp4')
    expect(whole.answer.headers.get('cache-control')).toBe(
      'public, max-age=31536000, s-maxage=60, immutable',
    )
    expect(whole.answer.headers.has('x-accel-redirect')).toBe(false)
    const part = await fetchFrom(proxy.origin + url, { range: 'bytes=1000-1999' })
    expect(part.answer.status).toBe(206)
    expect(part.bytes.equals(BYTES.subarray(1000, 2000))).toBe(true)
    const head = await fetchFrom(proxy.origin + url, {}, 'HEAD')
    expect(head.answer.headers.get('content-length')).toBe(String(BYTES.length))
  })

  test('sends nothing to those who may not have it', async () => {
    await approve(0)
    expect((await fetchFrom(proxy.origin + url)).answer.status).toBe(404)
    const own = await fetchFrom(proxy.origin + url, { cookie: ann.cookie })
    expect(own.bytes.equals(BYTES)).toBe(true)
    expect(own.answer.headers.get('cache-control')).toBe('private, no-cache')
    const inside = await fetchFrom(proxy.origin + url.replace('/media', PREFIX))
    expect(inside.answer.status).toBe(404)
  })
})

test.runIf(hasNginx)(
  'nginx as deploy/ sets it up answers what the client has with 304',
  async () => {
    const proxy = await startTrustedNginx()
    const { answer } = await fetchFrom(proxy.origin + url)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const again = await fetchFrom(proxy.origin + url, {
      'if-none-match': answer.headers.get('etag') ?? '',
    })
    expect(again.answer.status).toBe(304)
    await proxy.stop()
  },
)

test('the proxy gets only the path, and the bytes go to whoever comes past the proxy', async () => {
  const address = `http://127.0.0.1:${port}${url}`
  const redirected = await fetchFrom(address, { 'x-forwarded-for': '192.0.2.7' })
  expect(redirected.answer.headers.get('x-accel-redirect')).toBe(url.replace('/media', PREFIX))
  expect(redirected.bytes).toHaveLength(0)
  const direct = await fetchFrom(address)
  expect(direct.answer.headers.has('x-accel-redirect')).toBe(false)
  expect(direct.bytes.equals(BYTES)).toBe(true)
})

test('a file that is gone is not handed to the proxy', async () => {
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  const missing = `/media/${mediaKey}/video.mp4`
  await site.addVideo(ann, { mediaKey, videoUrl: missing })
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  const { answer, bytes } = await fetchFrom(`http://127.0.0.1:${port}${missing}`, forwarded)
  expect(answer.status).toBe(404)
  expect(bytes.toString()).toBe('There is no such file.')
})

test('a file that is sent counts as no read, whoever sends it', async () => {
  const settings = { xAccelPrefix: PREFIX, trustedProxies: ['127.0.0.1'] }
  const strict = await openTestSite({ ...settings, rateLimitScale: 0.01 })
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  await storeFiles(strict, mediaKey, { 'video.mp4': BYTES })
  const videoUrl = `/media/${mediaKey}/video.mp4`
  await strict.addVideo(await strict.addMember('bea'), { mediaKey, videoUrl })
  for (const headers of [{}, { 'x-forwarded-for': '192.0.2.7' }]) {
    for (let count = 0; count < 5; count++) {
      expect((await strict.app.inject({ url: videoUrl, headers })).statusCode).toBe(200)
    }
    expect((await strict.app.inject({ url: '/api/videos', headers })).statusCode).toBe(200)
  }
  await strict.close()
})
