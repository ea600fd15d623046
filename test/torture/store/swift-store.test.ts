import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { openMediaStore } from '#server/platform/files/open-media-store.ts'
import { describeMediaStore } from '#test/support/media-store-contract.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import type { StoreServer } from '../support/store-server.ts'
import { startSwift } from '../support/swift-server.ts'

const MEGABYTE = 1024 * 1024
const LARGE_MEGABYTES = 100

const folder = setUpFolder('swift')
let server: StoreServer
beforeAll(async () => {
  server = await startSwift(join(folder, 'server'))
})
afterAll(() => server.stop())

/** @param name of its prefix @param cacheBytes of copies that stay */
function openStore(name: string, dataFolder: string, cacheBytes = '1000000000') {
  const variables = { ...server.mediaVariables(name), MEDIA_CACHE_BYTES: cacheBytes }
  return openMediaStore(readConfig({ ...variables, DATA_DIR: dataFolder }))
}

describeMediaStore('OpenStack Swift', async (own) => ({
  store: await openStore('contract', own),
  folder: own,
  close: async () => {},
}))

describe('a file of 100 MB in OpenStack Swift', () => {
  const key = 'media/large/source'
  let store: MediaStore
  let sent: string
  beforeAll(async () => {
    const dataFolder = join(folder, 'large')
    await mkdir(dataFolder)
    const path = join(dataFolder, 'source')
    const file = await open(path, 'w')
    for (let at = 0; at < LARGE_MEGABYTES; at++) await file.write(megabyte(at))
    await file.close()
    sent = await hashOf(createReadStream(path))
    store = await openStore('large', dataFolder, '0')
    await store.put([{ key, path }])
  })

  test('is there, whole, in one piece', async () => {
    expect((await store.stat(key))?.bytes).toBe(LARGE_MEGABYTES * MEGABYTE)
    expect(await hashOf((await store.openRange(key)) as Readable)).toBe(sent)
    const copy = await store.localCopy(key)
    expect(await hashOf(createReadStream(copy?.path ?? ''))).toBe(sent)
    copy?.release()
  })

  test('is read in ranges, across the ends of the parts that were sent', async () => {
    for (const start of [0, 16 * MEGABYTE - 5, 48 * MEGABYTE - 1, 100 * MEGABYTE - 10]) {
      const end = Math.min(start + 9, LARGE_MEGABYTES * MEGABYTE - 1)
      const range = await store.openRange(key, { start, end })
      expect(await buffer(range as Readable)).toEqual(bytesOf(start, end))
    }
  })

  test('is listed once, with its size', async () => {
    const files = await Array.fromAsync(store.list('media/'))
    expect(files.map((file) => [file.key, file.bytes])).toEqual([[key, LARGE_MEGABYTES * MEGABYTE]])
  })

  test('is sent to whoever has its address for a while, also in ranges', async () => {
    const address = (await store.remote?.presign(key, { seconds: 60 })) ?? ''
    const whole = await fetch(address)
    expect(whole.status).toBe(200)
    expect(Number(whole.headers.get('content-length'))).toBe(LARGE_MEGABYTES * MEGABYTE)
    await whole.body?.cancel()
    const start = 32 * MEGABYTE - 100
    const range = await fetch(address, { headers: { range: `bytes=${start}-${start + 199}` } })
    expect(range.status).toBe(206)
    expect(Buffer.from(await range.arrayBuffer())).toEqual(bytesOf(start, start + 199))
    const other = await fetch(address.replace('large/source', 'large/other'))
    expect(other.status).toBe(403)
  })

  test('goes with all its parts', async () => {
    await store.removePrefix('media/large/')
    expect(await Array.fromAsync(store.list('media/'))).toEqual([])
    expect(await store.openRange(key)).toBeUndefined()
  })
})

/** Each is other bytes. */
function megabyte(at: number): Buffer {
  const bytes = Buffer.alloc(MEGABYTE)
  for (let word = 0; word < MEGABYTE; word += 4) bytes.writeUInt32LE(at * MEGABYTE + word, word)
  return bytes
}

function bytesOf(start: number, end: number): Buffer {
  const first = Math.floor(start / MEGABYTE)
  const last = Math.floor(end / MEGABYTE)
  const pieces = Array.from({ length: last - first + 1 }, (_, index) => megabyte(first + index))
  const begin = start - first * MEGABYTE
  return Buffer.concat(pieces).subarray(begin, begin + end - start + 1)
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of stream) hash.update(bytes)
  return hash.digest('hex')
}
