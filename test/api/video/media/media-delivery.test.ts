import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { askAndStall, getRequest } from '#test/support/stalled-client.ts'
import { removeStored, storedPath, storedRoot, storeFiles } from '#test/support/stored-files.ts'
import { listOpen } from '#test/torture/clients/open-files.ts'

const BYTES = randomBytes(16 * 1024 * 1024)
/** More than what systems take in for a client that does not read. */
const ENDLESS_BYTES = 1024 ** 3
const POLL_OPTIONS = { timeout: 30_000, interval: 50 }

const site = setUpTestSite()
const { ann } = setUpFileMembers(site, ['ann'])
let port: number
let url: string

beforeAll(async () => {
  url = (await addLargeVideo()).url
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
})

async function addLargeVideo(bytes = BYTES) {
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  const videoUrl = `/media/${mediaKey}/video.mp4`
  await storeFiles(site, mediaKey, { 'video.mp4': bytes })
  const id = await site.addVideo(ann, { mediaKey, videoUrl })
  return { id, url: videoUrl, mediaKey }
}

const fetchPart = async (path: string, range?: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: range ? { range } : {} })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The files below the data folder's media that this process has open. */
async function openFiles(): Promise<string[]> {
  const targets = await listOpen(process.pid)
  return targets.filter((target) => target.startsWith(storedRoot(site)))
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('a large file comes whole, and in parts to many at the same time', async () => {
  const whole = await fetchPart(url)
  expect([whole.status, digest(whole.bytes)]).toEqual([200, digest(BYTES)])
  const starts = Array.from({ length: 40 }, (_, index) => index * 397_000 + 7)
  await Promise.all(
    starts.map(async (start) => {
      const part = await fetchPart(url, `bytes=${start}-${start + 700_000}`)
      expect(part.status).toBe(206)
      expect(part.bytes.equals(BYTES.subarray(start, start + 700_001))).toBe(true)
    }),
  )
})

test.each([
  ['GET', {}],
  ['HEAD', {}],
  ['GET', { range: 'bytes=100-199' }],
  ['HEAD', { range: 'bytes=-5' }],
  ['GET', { range: 'bytes=99999999999-' }],
  ['GET', { range: 'bytes=0-9', 'if-range': '"other"' }],
  ['GET', { 'if-none-match': '*' }],
  ['GET', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
  ['GET', { cookie: 'clutch=whatever', range: 'bytes=0-0' }],
  ['GET', { authorization: 'Bearer unknown' }],
  ['GET', { range: 'bytes=0-0', 'content-length': '0' }],
] as const)('%s with %o is answered alike again', async (method, headers) => {
  const first = await site.call({ method, url, headers })
  await fetchPart(url, 'bytes=0-0')
  const again = await new Promise<{ status: number | undefined; headers: object; bytes: Buffer }>(
    (resolve, reject) => {
      const asking = request({ port, path: url, method, headers }, async (answer) => {
        const bytes = await buffer(answer)
        resolve({ status: answer.statusCode, headers: withoutHop(answer.headers), bytes })
      })
      asking.on('error', reject).end()
    },
  )
  expect({ status: again.status, headers: again.headers }).toEqual({
    status: first.statusCode,
    headers: withoutHop(first.headers),
  })
  expect(again.bytes.equals(first.rawPayload)).toBe(true)
})

const withoutHop = (headers: object) => {
  const own = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))
}

test('parts asked for in one go come in their order', async () => {
  const ranges = [0, 5_000_000, 9_000_000]
  const requests = ranges
    .map((start) => getRequest(url, `bytes=${start}-${start + 999_999}`))
    .join('')
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece)).write(requests)
  const wanted = ranges.map((start) => BYTES.subarray(start, start + 1_000_000))
  await expect
    .poll(() => {
      const all = Buffer.concat(pieces)
      const offsets = wanted.map((part) => all.indexOf(part))
      return (
        offsets.every((place) => place > 0) && offsets.join() === offsets.toSorted(byValue).join()
      )
    }, POLL_OPTIONS)
    .toBe(true)
  socket.destroy()
})

const byValue = (a: number, b: number) => a - b

test.runIf(process.platform === 'linux')(
  'a deleted video gives its space back at once, whoever is in the middle of it',
  async () => {
    const { id, url: deleted, mediaKey } = await addLargeVideo()
    await truncate(storedPath(site, mediaKey, 'video.mp4'), ENDLESS_BYTES)
    const reader = await askAndStall(port, getRequest(deleted))
    expect(await openFiles()).toHaveLength(1)
    const isCutOff = once(reader.resume(), 'close')
    reader.pause()
    const answer = await site.delete(`/api/videos/${id}`, { as: ann })
    expect(answer.statusCode).toBe(204)
    expect((await fetchPart(deleted)).status).toBe(404)
    await expect.poll(openFiles, POLL_OPTIONS).toEqual([])
    reader.resume()
    await isCutOff
  },
)

test('a file that a user removed from where it lay is soon not found', async () => {
  const { url: removed, mediaKey } = await addLargeVideo()
  expect((await fetchPart(removed, 'bytes=0-9')).status).toBe(206)
  await removeStored(site, mediaKey)
  await expect.poll(async () => (await fetchPart(removed)).status, POLL_OPTIONS).toBe(404)
})

test('an empty file is an empty answer', async () => {
  const { url: empty } = await addLargeVideo(Buffer.alloc(0))
  expect(await fetchPart(empty)).toEqual({ status: 200, bytes: Buffer.alloc(0) })
})

test('nobody is cut off from a file by what another member asked for', async () => {
  const { url: own } = await addLargeVideo(Buffer.alloc(10))
  // A name that a question of this member might once have been known by.
  for (const more of [`%20${ann.id}`, `%20${ann.id}%20admin`, '%00', '%2F', '.'.repeat(120)]) {
    const odd = await site.call({ url: own + more })
    expect([more, odd.statusCode]).toEqual([more, 404])
  }
  expect((await site.call({ url: own, as: ann })).statusCode).toBe(200)
})
