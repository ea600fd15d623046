import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored, partsOf, readStored } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann } = setUpFileMembers(site, ['ann'])
let videoId: number
let url: string
let file: Buffer

beforeAll(async () => {
  const path = join(site.dataFolder, 'clip.mp4')
  await makeClip({
    path,
    seconds: 1,
    metadata: { title: 'My living room', location: '+52.5+013.4/' },
  })
  const uploadId = await sendFile({ site, as: ann }, { path })
  videoId = (await complete({ site, as: ann }, { uploadId })).json().videoId
  url = (await site.get(`/api/videos/${videoId}`)).json().videoUrl
  file = (await readStored(site, ...partsOf(url))) as Buffer
})

const get = (headers: Record<string, string> = {}, as?: TestMember) =>
  site.get(url, { headers, ...(as && { as }) })

test('the whole file comes with what caches and players need', async () => {
  const answer = await get()
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.equals(file)).toBe(true)
  expect(answer.headers).toMatchObject({
    'accept-ranges': 'bytes',
    'content-type': 'video/mp4',
    'content-length': String(file.length),
    'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers.etag).toMatch(/^"[^"]+"$/)
})

test('HEAD answers the same headers without the bytes', async () => {
  const answer = await site.call({ method: 'HEAD', url })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-length']).toBe(String(file.length))
  expect(answer.rawPayload).toHaveLength(0)
})

test.each([
  ['bytes=0-99', 0, 99],
  ['bytes=100-', 100, undefined],
  ['bytes=-50', -50, undefined],
  ['bytes=10-99999999999', 10, undefined],
])('the range %s is a 206 of those bytes', async (range, start, end) => {
  const answer = await get({ range })
  const expected = file.subarray(start, end === undefined ? undefined : end + 1)
  expect(answer.statusCode).toBe(206)
  expect(answer.rawPayload.equals(expected)).toBe(true)
  const first = start < 0 ? file.length + start : start
  const last = first + expected.length - 1
  expect(answer.headers['content-range']).toBe(`bytes ${first}-${last}/${file.length}`)
})

test('a range past the end is a 416 with the size', async () => {
  const answer = await get({ range: `bytes=${file.length}-` })
  expect(answer.statusCode).toBe(416)
  expect(answer.headers['content-range']).toBe(`bytes */${file.length}`)
  expect((await get({ range: 'bytes=-0' })).statusCode).toBe(416)
})

test.each(['bytes=5-2', 'lines=1-2', 'bytes=a-b', 'bytes=0-1,5-6', 'bytes=-'])(
  'the range "%s" is ignored',
  async (range) => {
    expect((await get({ range })).statusCode).toBe(200)
  },
)

test('what the client has already is a 304', async () => {
  const { headers } = await get()
  const byTag = await get({ 'if-none-match': String(headers.etag) })
  expect(byTag.statusCode).toBe(304)
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('what the client has already by its time is a 304 too', async () => {
  const lastModified = String((await get()).headers['last-modified'])
  expect(Date.parse(lastModified)).toBeGreaterThan(0)
  expect((await get({ 'if-modified-since': lastModified })).statusCode).toBe(304)
})

test('If-Range gives the part only of the same file', async () => {
  const { headers } = await get()
  const same = await get({ range: 'bytes=0-9', 'if-range': String(headers.etag) })
  expect(same.statusCode).toBe(206)
  const other = await get({ range: 'bytes=0-9', 'if-range': '"other"' })
  expect(other.statusCode).toBe(200)
})

test('nothing personal is in the file', () => {
  expect(file.includes('living room')).toBe(false)
  expect(file.includes('+52.5')).toBe(false)
})

describe('a video that is not public', () => {
  test('has no files for strangers, and none that caches keep for its owner', async () => {
    const bob = await site.addMember('bob')
    const admin = await site.addMember('admin', { isAdmin: true })
    const approve = (contentApproved: 0 | 1) =>
      site.db.updateTable('videos').set({ contentApproved }).where('id', '=', videoId).execute()
    await approve(0)
    expect((await get()).statusCode).toBe(404)
    expect((await get({}, bob)).statusCode).toBe(404)
    expect((await get({}, admin)).statusCode).toBe(200)
    const own = await get({}, ann)
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-cache'])
    await approve(1)
    expect((await get()).statusCode).toBe(200)
  })
})

test.each(['source', 'other.mp4', '..%2f..%2fclutch.db', '%2e%2e/clutch.db', ''])(
  'the name "%s" in its folder is not found',
  async (name) => {
    const folder = url.slice(0, url.lastIndexOf('/'))
    expect((await site.get(`${folder}/${name}`)).statusCode).toBe(404)
  },
)

test('after deletion its files are gone', async () => {
  const path = join(site.dataFolder, 'clip.mp4')
  const uploadId = await sendFile({ site, as: ann }, { path })
  const id = (await complete({ site, as: ann }, { uploadId })).json().videoId
  const video = (await site.get(`/api/videos/${id}`)).json()
  const remove = () => site.delete(`/api/videos/${id}`, { as: ann })
  expect((await remove()).statusCode).toBe(204)
  expect((await site.get(video.videoUrl)).statusCode).toBe(404)
  expect((await remove()).statusCode).toBe(404)
  expect(await listStored(site, partsOf(video.videoUrl)[0])).toEqual([])
})
