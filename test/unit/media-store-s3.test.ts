import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { checkMediaStore } from '#server/platform/files/check-media-store.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { openMediaStore } from '#server/platform/files/open-media-store.ts'
import { openS3Store } from '#server/platform/files/s3-store.ts'
import type { S3Place } from '#server/platform/s3-place.ts'
import { type FaultProxy, startFaultProxy } from '#test/support/fault-proxy.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { describeMediaStore } from '#test/support/media-store-contract.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { until } from '#test/support/until.ts'

const MB = 1024 * 1024
const CONTENT = Buffer.from('0123456789abcdef'.repeat(4096))
const LIMITS = {
  ...{ quietMs: 2000, answerMs: 2000, pausesMs: [1, 2, 3] },
  ...{ failures: 100, restMs: 20, pageObjects: 1000 },
}

let server: Awaited<ReturnType<typeof startS3Server>>
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.stop())

const pageObjects = isLongForm ? 1000 : 10
describeMediaStore(
  'object storage',
  async (folder) => {
    const place = readConfig(server.mediaVariables('contract')).media.store as S3Place
    const store = await openS3Store(place, {
      ...{ cacheFolder: join(folder, 'cache'), cacheBytes: 100 * MB },
      freeBytes: async () => 100_000 * MB,
      limits: { ...LIMITS, pageObjects },
    })
    return { store, folder, close: async () => {} }
  },
  { many: pageObjects * 2.5 },
)

let proxy: FaultProxy
let folder: string
let prefix = 0
beforeEach(async () => {
  proxy = await startFaultProxy(server.endpoint)
  folder = await mkdtemp(join(tmpdir(), 'clutch-s3-store-'))
  prefix++
})
afterEach(async () => {
  await proxy.stop()
  await rm(folder, { recursive: true, force: true })
})

const openStore = (options: { limits?: Partial<typeof LIMITS>; cacheBytes?: number } = {}) => {
  const variables = server.mediaVariables(`site-${prefix}`, proxy.endpoint)
  const place = readConfig(variables).media.store as S3Place
  return openS3Store(place, {
    ...{ cacheFolder: join(folder, 'cache'), cacheBytes: options.cacheBytes ?? 100 * MB },
    freeBytes: async () => 100_000 * MB,
    limits: { ...LIMITS, ...options.limits },
  })
}

async function putFile(store: MediaStore, key: string, content: Buffer = CONTENT) {
  const path = join(folder, `put-${Math.random()}`)
  await writeFile(path, content)
  await store.put([{ key, path }])
}

async function read(store: MediaStore, key: string) {
  const body = await store.openRange(key)
  return body && (await buffer(body))
}

const countOf = (of: RegExp) => proxy.seen.filter((line) => of.test(line)).length

describe('a store that fails', () => {
  for (const fault of [503, 500, 'drop', 'stall'] as const) {
    test(`is asked again after ${fault}`, async () => {
      const store = await openStore({ limits: { answerMs: 1000 } })
      proxy.fail(fault, { times: 2 })
      await putFile(store, 'media/a/file')
      expect(await read(store, 'media/a/file')).toEqual(CONTENT)
      expect(store.remote?.problem()).toBeUndefined()
    })
  }

  test('is away after two more tries, and says so until it answers', async () => {
    const store = await openStore()
    proxy.fail(503)
    const sentence = /^The store of videos at 127\.0\.0\.1:\d+ does not answer \(503 SlowDown\)\.$/
    await expect(store.stat('media/a/file')).rejects.toMatchObject({
      reason: 'away',
      message: expect.stringMatching(sentence),
    })
    expect(proxy.seen).toHaveLength(3)
    expect(store.remote?.problem()).toMatch(sentence)
    proxy.heal()
    expect(await store.stat('media/a/file')).toBeUndefined()
    expect(store.remote?.problem()).toBeUndefined()
  })

  test('that stands still is given up soon where a person waits, and later where a job does', async () => {
    // A limit of its own for each, so that what ends says which one it was.
    const hour = 3_600_000
    await putFile(await openStore(), 'media/a/file')
    await rm(join(folder, 'cache'), { recursive: true })
    const quick = await openStore({ limits: { answerMs: 50, quietMs: hour } })
    const copy = await openStore({ limits: { answerMs: hour, quietMs: 50 }, cacheBytes: 0 })
    const before = proxy.seen.length
    proxy.fail('stall')
    const away = { reason: 'away' }
    await expect(quick.openRange('media/a/file', { start: 0, end: 9 })).rejects.toMatchObject(away)
    await expect(quick.stat('media/a/file')).rejects.toMatchObject(away)
    const chunk = { key: 'uploads/a/0-0', bytes: CONTENT }
    await expect(quick.put([chunk])).rejects.toMatchObject(away)
    const asked = proxy.seen.length
    expect(asked - before).toBe(3 * 3)
    await expect(copy.localCopy('media/a/file')).rejects.toMatchObject(away)
    const path = join(folder, 'large')
    await writeFile(path, Buffer.alloc(5 * MB))
    await expect(copy.put([{ key: 'media/a/large', path }])).rejects.toMatchObject(away)
    expect(proxy.seen.length - asked).toBe(2 * 4)
  })

  longTest('that stands still is not waited for by a start', async () => {
    const store = await openStore({ limits: { answerMs: 3_600_000, quietMs: 3_600_000 } })
    proxy.fail('stall')
    expect(await checkMediaStore(store)).toBe('The store of videos has not answered yet.')
  })

  test('is not asked again where it refuses', async () => {
    const store = await openStore()
    proxy.fail(403)
    await expect(store.stat('media/a/file')).rejects.toMatchObject({ reason: 'refused' })
    expect(proxy.seen).toHaveLength(1)
  })

  test('that has no such bucket refuses', async () => {
    const variables = { ...server.mediaVariables(''), MEDIA_STORE: 's3://none' }
    const store = await openMediaStore(readConfig({ ...variables, DATA_DIR: folder }))
    await expect(store.stat('media/a/file')).rejects.toMatchObject({ reason: 'refused' })
    await expect(store.list('media/')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      reason: 'refused',
    })
  })

  test('is left alone for a while after several failures in a row, and tried again then', async () => {
    const store = await openStore({ limits: { failures: 3, restMs: 300 } })
    proxy.fail('drop')
    await expect(store.stat('media/a/file')).rejects.toMatchObject({ reason: 'away' })
    const asked = proxy.seen.length
    await expect(store.stat('media/a/file')).rejects.toMatchObject({ reason: 'away' })
    expect(proxy.seen).toHaveLength(asked)
    proxy.heal()
    await until(async () => (await store.stat('media/a/file').catch(() => 'away')) !== 'away')
    expect(store.remote?.problem()).toBeUndefined()
  })

  longTest('keeps no parts of a file that could not be put, which stays where it was', async () => {
    const store = await openStore()
    const path = join(folder, 'large')
    await writeFile(path, Buffer.alloc(17 * MB, 'large'))
    proxy.fail(500, { of: /partNumber=2/ })
    await expect(store.put([{ key: 'media/a/large', path }])).rejects.toMatchObject({
      reason: 'away',
    })
    expect(countOf(/^DELETE .*uploadId=/)).toBe(1)
    expect((await stat(path)).size).toBe(17 * MB)
    proxy.heal()
    await store.put([{ key: 'media/a/large', path }])
    expect((await store.stat('media/a/large'))?.bytes).toBe(17 * MB)
  })
})

describe('a byte that is changed on its way', () => {
  const LARGE = Buffer.alloc(17 * MB, 'large')
  const kinds: [string, Buffer, RegExp][] = [
    ['a file', CONTENT, /^PUT .*file/],
    ['a file of one byte', Buffer.alloc(1), /^PUT .*file/],
    ['a part of a large file', LARGE, /^PUT .*partNumber=2/],
  ]
  for (const [what, content, of] of kinds) {
    test(`is found in ${what}, which is put again`, async () => {
      const store = await openStore({ cacheBytes: 0, limits: { quietMs: 60_000 } })
      proxy.fail('corrupt', { times: 1, of })
      await putFile(store, 'media/a/file', content)
      expect(countOf(of)).toBe(2)
      expect((await read(store, 'media/a/file'))?.equals(content)).toBe(true)
    })
  }

  test('again and again is a failure with a sentence, and the file stays where it was', async () => {
    const store = await openStore()
    const path = join(folder, 'again')
    await writeFile(path, CONTENT)
    proxy.fail('corrupt', { of: /^PUT/ })
    await expect(store.put([{ key: 'media/a/file', path }])).rejects.toMatchObject({
      reason: 'changed',
      message: expect.stringMatching(
        /^The store of videos at .* has other bytes of media\/a\/file than were sent, after several tries\.$/,
      ),
    })
    expect(countOf(/^PUT/)).toBe(3)
    expect(await readFile(path)).toEqual(CONTENT)
    expect(await store.stat('media/a/file')).toBeUndefined()
  })

  test('is put again where the store finds it by the digest that it is sent', async () => {
    const store = await openStore()
    proxy.fail(400, { times: 1, of: /^PUT/ })
    await putFile(store, 'media/a/file')
    proxy.fail(400, { of: /^PUT/ })
    await expect(putFile(store, 'media/a/file')).rejects.toMatchObject({
      reason: 'changed',
      message: expect.stringMatching(/ received other bytes than were sent \(400 BadDigest\)\.$/),
    })
    const md5 = createHash('md5').update(CONTENT).digest('base64')
    expect(proxy.digests.filter(Boolean)).toEqual(Array(5).fill(md5))
  })

  test('is looked for by reading where a tag is no MD5, unless the store encrypts with KMS', async () => {
    const store = await openStore()
    const whole = () => proxy.ranges.filter((range) => range === '').length - countOf(/^PUT/)
    proxy.answerPuts({ etag: '"0123456789abcdef0123456789abcdef"' })
    await putFile(store, 'media/a/file')
    expect(whole()).toBe(1)
    proxy.answerPuts({
      etag: '"0123456789abcdef0123456789abcdef"',
      'x-amz-server-side-encryption': 'aws:kms',
    })
    await putFile(store, 'media/a/other')
    expect(whole()).toBe(1)
    expect(countOf(/^PUT/)).toBe(2)
  })
})

describe('a read whose line breaks', () => {
  const cut = { after: 20_000 }
  const reads = () => proxy.ranges.slice(asked)
  let asked = 0
  let store: MediaStore
  beforeEach(async () => {
    store = await openStore({ cacheBytes: 0 })
    await store.put([{ key: 'media/a/file', bytes: CONTENT }])
    asked = proxy.seen.length
  })

  test('is continued where it broke off, twice', async () => {
    proxy.fail(cut, { times: 2 })
    expect(await read(store, 'media/a/file')).toEqual(CONTENT)
    expect(reads()).toEqual(['', 'bytes=20000-65535', 'bytes=40000-65535'])
  })

  test('is continued in a part of a file', async () => {
    proxy.fail({ after: 10 }, { times: 1 })
    const part = await store.openRange('media/a/file', { start: 100, end: 199 })
    expect(part && (await buffer(part))).toEqual(CONTENT.subarray(100, 200))
    expect(reads()).toEqual(['bytes=100-199', 'bytes=110-199'])
  })

  test('ends with an error when it breaks a third time', async () => {
    proxy.fail(cut)
    await expect(read(store, 'media/a/file')).rejects.toMatchObject({ reason: 'away' })
    expect(reads()).toHaveLength(3)
  })

  test('is continued by a copy too, which begins again after that', async () => {
    proxy.fail(cut, { times: 4 })
    const copy = await store.localCopy('media/a/file')
    expect(await readFile(copy?.path ?? '')).toEqual(CONTENT)
    expect(reads().filter((range) => range === '')).toHaveLength(2)
    expect(await readdir(join(folder, 'cache/media/a'))).toEqual(['file'])
    copy?.release()
  })

  test('never gets the bytes of another object', async () => {
    proxy.fail(cut, { times: 1 })
    const body = await store.openRange('media/a/file')
    await store.put([{ key: 'media/a/file', bytes: Buffer.alloc(CONTENT.length, 'other') }])
    const ended = body ? buffer(body) : undefined
    await expect(ended).rejects.toMatchObject({
      reason: 'away',
      message: expect.stringContaining('has another media/a/file than when its reading began'),
    })
    expect(proxy.conditions.at(-1)).toMatch(/^"[0-9a-f]{32}"$/)
  })

  test('is no failure of the store when whoever reads is gone', async () => {
    const body = await store.openRange('media/a/file')
    body?.destroy()
    await new Promise((resolve) => body?.once('close', resolve))
    expect(reads()).toHaveLength(1)
    expect(store.remote?.problem()).toBeUndefined()
  })
})

longTest('a file of many parts arrives whole', async () => {
  const store = await openStore({ cacheBytes: 0, limits: { quietMs: 60_000 } })
  const content = Buffer.concat(
    Array.from({ length: 400 }, (_, index) => Buffer.alloc(MB / 10, `${index} `)),
  )
  await putFile(store, 'media/a/large', content)
  expect((await read(store, 'media/a/large'))?.equals(content)).toBe(true)
  expect(countOf(/partNumber=/)).toBe(3)
})

describe('copies', () => {
  const cached = async () =>
    (await readdir(join(folder, 'cache'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()

  test('are what was put, and need no second journey', async () => {
    const store = await openStore()
    await putFile(store, 'media/a/file')
    const path = store.localPath('media/a/file')
    expect(path).toBe(join(folder, 'cache/media/a/file'))
    const state = await store.stat('media/a/file')
    expect((await stat(path ?? '')).mtime).toEqual(state?.modifiedAt)
    const asked = proxy.seen.length
    const copy = await store.localCopy('media/a/file')
    expect(copy?.path).toBe(path)
    expect(proxy.seen).toHaveLength(asked)
  })

  test('are fetched once for all who ask at a time, and stay while they are used', async () => {
    const store = await openStore({ cacheBytes: 0 })
    await putFile(store, 'media/a/file')
    expect(await cached()).toEqual([])
    const asked = countOf(/^GET/)
    const copies = await Promise.all([1, 2, 3].map(() => store.localCopy('media/a/file')))
    expect(countOf(/^GET/)).toBe(asked + 1)
    copies[0]?.release()
    copies[0]?.release()
    copies[1]?.release()
    expect(await readFile(copies[2]?.path ?? '')).toEqual(CONTENT)
    copies[2]?.release()
    await until(async () => (await cached()).length === 0)
    expect(store.localPath('media/a/file')).toBeUndefined()
  })

  test('of a file that was put again while it was used go afterwards', async () => {
    const store = await openStore({ cacheBytes: 0 })
    await putFile(store, 'media/a/file')
    const copy = await store.localCopy('media/a/file')
    await putFile(store, 'media/a/file')
    expect(await cached()).toEqual(['file'])
    copy?.release()
    await until(async () => (await cached()).length === 0)
  })

  test('go that were not used for longest, also after a restart', async () => {
    const first = await openStore()
    for (const name of ['one', 'two', 'three']) await putFile(first, `media/a/${name}`)
    const used = new Date(Date.now() + 60_000)
    const path = join(folder, 'cache/media/a/one')
    await utimes(path, used, (await stat(path)).mtime)
    await writeFile(join(folder, 'cache/media/a/four.partial'), 'half')
    const second = await openStore({ cacheBytes: 2 * CONTENT.length })
    expect(await cached()).toEqual(['one', 'three'])
    await putFile(second, 'media/b/five')
    expect(await cached()).toEqual(['five', 'one'])
    expect(second.localPath('media/a/one')).toBe(path)
  })

  test('go with their files', async () => {
    const store = await openStore()
    for (const key of ['media/a/one', 'media/a/two', 'media/b/one']) await putFile(store, key)
    await store.removePrefix('media/a/one')
    expect(store.localPath('media/a/one')).toBeUndefined()
    await store.removePrefix('media/a/')
    expect(await cached()).toEqual(['one'])
    expect(await store.localCopy('media/a/two')).toBeUndefined()
    expect(await readdir(join(folder, 'cache/media'))).toEqual(['b'])
  })

  test('are not made where the disk has no room', async () => {
    const variables = server.mediaVariables(`site-${prefix}`)
    const store = await openS3Store(readConfig(variables).media.store as S3Place, {
      ...{ cacheFolder: join(folder, 'cache'), cacheBytes: 100 * MB, limits: LIMITS },
      freeBytes: async () => 10,
    })
    await store.put([{ key: 'media/a/file', bytes: CONTENT }])
    await expect(store.localCopy('media/a/file')).rejects.toMatchObject({ kind: 'no-space' })
    expect(await cached()).toEqual([])
  })
})

test('an address for a browser is good for anybody', async () => {
  const store = await openStore()
  await store.put([{ key: 'media/a/video.mp4', bytes: CONTENT }])
  const address = await store.remote?.presign('media/a/video.mp4', { seconds: 60 })
  expect(new URL(address ?? '').origin).toBe(store.remote?.origin)
  const response = await fetch(address ?? '', { headers: { range: 'bytes=1-3' } })
  expect(response.headers.get('content-type')).toBe('video/mp4')
  expect(await response.text()).toBe('123')
})
