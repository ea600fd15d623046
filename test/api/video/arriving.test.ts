import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferSource, EncodedPacketSink, Input, MATROSKA, MP4, QTFF } from 'mediabunny'
import { expect, test } from 'vitest'
import { followArriving } from '#server/video/arriving/arriving.service.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { followEvents } from '#test/support/event-stream.ts'
import { quickCases } from '#test/support/long-form.ts'
import { addRow, addRows, changeRows } from '#test/support/rows.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, initialize, sendChunk } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann, bob } = setUpMembers(site, ['ann', 'bob'])

const clips = new Map<string, Promise<Buffer>>()

/** Returns the bytes of several chunks. They are the same for the same options. */
function makeLargeClip(options: Partial<ClipOptions> = {}): Promise<Buffer> {
  const key = JSON.stringify(options)
  const clip = clips.get(key) ?? writeLargeClip(options)
  clips.set(key, clip)
  return clip
}

async function writeLargeClip(options: Partial<ClipOptions>): Promise<Buffer> {
  const path = join(site.dataFolder, `${crypto.randomUUID()}.${options.container ?? 'mp4'}`)
  await makeClip({
    ...{ path, width: 640, height: 360, seconds: 8, keyFrameSeconds: 2 },
    filters: ['noise=alls=20:allf=t'],
    ...options,
  })
  return readFile(path)
}

async function openLink(as: TestMember, bytes: Buffer, metadata: object = {}) {
  const { uploadId } = (await initialize({ site, as }, { size: bytes.length, metadata })).json<{
    uploadId: string
  }>()
  const answer = await site.post(`/api/uploads/${uploadId}/link`, { as })
  expect(answer.statusCode).toBe(200)
  const { videoId, url } = answer.json<{ videoId: number; url: string }>()
  return { uploadId, videoId, url }
}

async function sendChunks(as: TestMember, uploadId: string, bytes: Buffer, indexes: number[]) {
  const totalChunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  for (const chunkIndex of indexes) {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const chunk = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    const sent = await sendChunk({ site, as }, { uploadId, chunkIndex, totalChunks, bytes: chunk })
    expect(sent.statusCode).toBe(200)
  }
}

const fetchFile = (id: number, file: string, as?: TestMember) =>
  site.get(`/arriving/${id}/${file}`, as ? { as } : {})

async function fetchFragments(id: number, as?: TestMember): Promise<Buffer[]> {
  const { body } = await fetchFile(id, 'media.m3u8', as)
  const names = body.split('\n').filter((line) => line.endsWith('.m4s'))
  const answers = await Promise.all(names.map((name) => fetchFile(id, name, as)))
  return answers.map(({ rawPayload }) => rawPayload)
}

async function readPackets(bytes: Buffer) {
  const input = new Input({ formats: [MP4, QTFF, MATROSKA], source: new BufferSource(bytes) })
  const tracks = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  const all: { sha256: string; key: boolean; at: number }[][] = []
  // What is before 0 is shown too, and moves the rest.
  const start = Math.min(0, (await tracks[0]?.getFirstTimestamp()) ?? 0)
  for (const track of tracks) {
    const packets: (typeof all)[0] = []
    if (track) {
      for await (const { data, type, timestamp } of new EncodedPacketSink(track).packets()) {
        if (timestamp - start < -0.0001) continue
        const at = Math.round((timestamp - start) * 100)
        packets.push({ sha256: hash('sha256', data), key: type === 'key', at })
      }
    }
    all.push(packets)
  }
  return all
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)

const lastOf = (bytes: Buffer) => Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES) - 1

const RECORDINGS: [string, Partial<ClipOptions>][] = [
  ['an MP4 with its index at the end', {}],
  ['an MP4 with pictures out of order', { bFrames: 3, keyFrameSeconds: 6 }],
  ['a MOV', { container: 'mov' }],
  ['an MKV', { container: 'matroska' }],
  ['a recording without sound', { audioCodec: null }],
  ['a recording that is turned', { rotation: 90 }],
  ['a recording whose sound begins later', { audioDelaySeconds: 1 }],
  ['a recording with a changing frame rate', { variableFrameRate: true }],
  ['a recording that begins before zero', { startSeconds: -0.2 }],
]

test.each(quickCases(RECORDINGS, ['an MP4 with pictures out of order', 'an MKV']))(
  'what is watched of %s while it arrives is byte for byte what the file is',
  async (_, options) => {
    const bytes = await makeLargeClip(options)
    const last = lastOf(bytes)
    const half = Math.ceil(last / 2)
    const [first, rest] = [range(0, half), range(half, last)]
    expect(half).toBeGreaterThan(1)
    const { uploadId, videoId, url } = await openLink(ann, bytes)
    expect(url).toBe(`http://localhost/video/${videoId}`)
    await sendChunks(ann, uploadId, bytes, [last, ...first])
    const { rawPayload: head } = await fetchFile(videoId, 'head.mp4')
    await until(async () => (await fetchFragments(videoId)).length > 0, { timeoutMs: 10_000 })
    const early = await fetchFragments(videoId)
    const [pictures, sounds] = await readPackets(bytes)
    const [earlyPictures] = await readPackets(Buffer.concat([head, ...early]))
    expect(earlyPictures?.length).toBeGreaterThan(0)
    expect(earlyPictures?.length).toBeLessThan(pictures?.length ?? 0)
    expect(earlyPictures).toEqual(pictures?.slice(0, earlyPictures?.length))

    await sendChunks(ann, uploadId, bytes, rest)
    await until(async () => (await fetchFile(videoId, 'media.m3u8')).body.includes('ENDLIST'), {
      timeoutMs: 10_000,
    })
    const whole = await readPackets(Buffer.concat([head, ...(await fetchFragments(videoId))]))
    expect(whole[0]).toEqual(pictures)
    expect(whole[1]).toEqual(sounds)

    const done = await complete({ site, as: ann }, { uploadId })
    expect(done.json()).toEqual({ videoId })
    expect((await site.get(`/api/videos/${videoId}`, { as: ann })).statusCode).toBe(200)
  },
)

const askFor = async (id: number, as?: TestMember) => {
  const input = encodeURIComponent(JSON.stringify({ id }))
  const answer = await site.get(`/trpc/arriving.get?input=${input}`, as ? { as } : {})
  return { status: answer.statusCode, data: answer.json().result?.data as Arriving | undefined }
}

test('the page of an upload exists for whoever may watch the video, and for nobody else', async () => {
  const bytes = await makeLargeClip()
  const admin = await site.addMember(`admin-${crypto.randomUUID().slice(0, 8)}`, { isAdmin: true })
  const statusesOf = async (id: number) => {
    const asked = [askFor(id), askFor(id, bob), askFor(id, ann), askFor(id, admin)]
    const files = ['master.m3u8', 'media.m3u8', 'head.mp4', '0.m4s'].flatMap((file) => [
      fetchFile(id, file),
      fetchFile(id, file, bob),
    ])
    const pages = [site.get(`/api/videos/${id}`), site.get(`/api/videos/${id}`, { as: ann })]
    return {
      asked: (await Promise.all(asked)).map(({ status }) => status),
      files: new Set((await Promise.all(files)).map(({ statusCode }) => statusCode)),
      rest: (await Promise.all(pages)).map(({ statusCode }) => statusCode),
    }
  }
  const { uploadId, videoId } = await openLink(ann, bytes, { visibility: 'private' })
  await sendChunks(ann, uploadId, bytes, [lastOf(bytes), 0, 1])
  expect(await statusesOf(videoId)).toEqual({
    ...{ asked: [404, 404, 200, 200], files: new Set([404]), rest: [404, 404] },
  })
  const change = async (metadata: object) => {
    const answer = await site.post('/trpc/upload.saveDetails', {
      as: ann,
      payload: { uploadId, metadata: { title: 'The unseen stand', ...metadata } },
    })
    expect(answer.statusCode).toBe(200)
  }
  await change({ visibility: 'members' })
  expect((await statusesOf(videoId)).asked).toEqual([404, 200, 200, 200])
  expect((await fetchFile(videoId, 'master.m3u8')).statusCode).toBe(404)
  expect((await fetchFile(videoId, 'master.m3u8', bob)).statusCode).toBe(200)
  await change({ visibility: 'unlisted' })
  expect((await statusesOf(videoId)).asked).toEqual([200, 200, 200, 200])
  expect((await fetchFile(videoId, '0.m4s')).statusCode).toBe(200)
  for (const path of ['/api/videos', `/api/users/${ann.id}/videos`, '/api/search?q=unseen']) {
    expect((await site.get(path, { as: ann })).body).not.toContain('The unseen stand')
  }
  expect((await askFor(videoId + 1000)).status).toBe(404)
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
})

test('nothing is shown to others before approval', async () => {
  const bytes = await makeLargeClip()
  await changeRows(site.db, 'siteSettings', { where: {}, values: { uploadsNeedApproval: 1 } })
  try {
    const { uploadId, videoId } = await openLink(ann, bytes)
    await sendChunks(ann, uploadId, bytes, [lastOf(bytes), 0, 1])
    expect([(await askFor(videoId)).status, (await askFor(videoId, bob)).status]).toEqual([
      404, 404,
    ])
    expect((await fetchFile(videoId, 'media.m3u8', bob)).statusCode).toBe(404)
    expect((await fetchFile(videoId, 'media.m3u8', ann)).statusCode).toBe(200)
    await site.delete(`/api/uploads/${uploadId}`, { as: ann })
  } finally {
    await changeRows(site.db, 'siteSettings', { where: {}, values: { uploadsNeedApproval: 0 } })
  }
})

test('an upload for a squad is closed to it once its sender has left', async () => {
  const bytes = await makeLargeClip()
  const createdAt = new Date().toISOString()
  const squadId = await addRow(site.db, 'squads', {
    ...{ name: 'Owls', tag: 'OWL', foldedTag: 'owl', colour: 'violet', emblem: 'moon' },
    ...{ joining: 'open', memberCount: 2, createdAt },
  })
  await addRows(site.db, 'squadMembers', [
    { squadId, userId: bob.id, role: 'owner', joinedAt: createdAt },
    { squadId, userId: ann.id, role: 'member', joinedAt: createdAt },
  ])
  const { uploadId, videoId } = await openLink(ann, bytes, { visibility: 'private', squadId })
  await sendChunks(ann, uploadId, bytes, [lastOf(bytes), 0, 1])
  expect((await fetchFile(videoId, 'media.m3u8', bob)).statusCode).toBe(200)
  await site.db.deleteFrom('squadMembers').where('userId', '=', ann.id).execute()
  expect((await askFor(videoId, bob)).status).toBe(404)
  expect((await fetchFile(videoId, 'media.m3u8', bob)).statusCode).toBe(404)
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
})

test('the upload of a finished video is not served, as the video may have been cut', async () => {
  const bytes = await makeLargeClip()
  const { uploadId, videoId } = await openLink(ann, bytes)
  await sendChunks(ann, uploadId, bytes, range(0, lastOf(bytes) + 1))
  await complete({ site, as: ann }, { uploadId })
  const values = { processingState: 'ready' } as const
  await changeRows(site.db, 'videos', { where: { id: videoId }, values })
  expect((await askFor(videoId)).data?.state).toBe('ready')
  for (const file of ['master.m3u8', 'media.m3u8', 'head.mp4', '0.m4s']) {
    expect((await fetchFile(videoId, file)).statusCode).toBe(404)
  }
})

test('who follows an upload hears nothing more once their session is over', async () => {
  const bytes = await makeLargeClip()
  const origin = await site.app.listen({ host: '127.0.0.1', port: 0 })
  const cleo = await site.addMember(`cleo-${crypto.randomUUID().slice(0, 8)}`)
  const { uploadId, videoId: id } = await openLink(ann, bytes, { visibility: 'members' })
  const subscription = { name: 'arriving.follow', input: { id }, as: cleo }
  const stream = await followEvents<Arriving>(origin, subscription)
  await stream.until(({ state }) => state === 'arriving', 5000)
  await site.post('/api/logout', { as: cleo })
  await sendChunks(ann, uploadId, bytes, [0, 1])
  const more = stream.until(({ percent }) => percent > 0, 10_000)
  await expect(more).rejects.toThrow('The server ended the stream.')
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
})

test('nothing of a banned member is shown to others', async () => {
  const bytes = await makeLargeClip()
  const { uploadId, videoId } = await openLink(bob, bytes)
  await sendChunks(bob, uploadId, bytes, [lastOf(bytes), 0, 1])
  expect((await fetchFile(videoId, 'media.m3u8', ann)).statusCode).toBe(200)
  const values = { bannedAt: new Date().toISOString() }
  await changeRows(site.db, 'users', { where: { id: bob.id }, values })
  expect((await askFor(videoId, ann)).status).toBe(404)
  expect((await fetchFile(videoId, 'media.m3u8', ann)).statusCode).toBe(404)
})

test('an anonymous upload does not name its sender, and serves nothing of the metadata of the file', async () => {
  const bytes = await makeLargeClip({ metadata: { title: 'Ann at home', location: '+52.5-13.4/' } })
  expect(bytes.includes('Ann at home')).toBe(true)
  const { uploadId, videoId } = await openLink(ann, bytes, { isAnonymous: true })
  await sendChunks(ann, uploadId, bytes, range(0, lastOf(bytes) + 1))
  const { data } = await askFor(videoId)
  expect(data).toMatchObject({ channel: null, isOwn: false, state: 'arriving' })
  expect((await askFor(videoId, ann)).data).toMatchObject({ channel: { id: ann.id }, isOwn: true })
  const { rawPayload: head } = await fetchFile(videoId, 'head.mp4')
  const all = Buffer.concat([head, ...(await fetchFragments(videoId))])
  expect([all.includes('Ann at home'), all.includes('52.5')]).toEqual([false, false])
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
})

test('a silent upload is paused, and goes on', async () => {
  const bytes = await makeLargeClip()
  const { uploadId, videoId } = await openLink(ann, bytes)
  await sendChunks(ann, uploadId, bytes, [lastOf(bytes), 0, 1])
  expect((await askFor(videoId)).data).toMatchObject({ state: 'arriving', isOwn: false })
  const aliveAt = new Date(Date.now() - 4100).toISOString()
  await changeRows(site.db, 'uploads', { where: { id: uploadId }, values: { aliveAt } })
  expect((await askFor(videoId)).data?.state).toBe('paused')
  await sendChunks(ann, uploadId, bytes, [2])
  expect((await askFor(videoId)).data?.state).toBe('arriving')
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
})

test('a cancelled upload says so to whoever watches, and leaves nothing', async () => {
  const bytes = await makeLargeClip()
  const { uploadId, videoId } = await openLink(ann, bytes)
  await sendChunks(ann, uploadId, bytes, [lastOf(bytes), 0, 1])
  const { signal } = new AbortController()
  const following = followArriving(site.deps, { id: videoId, viewer: undefined, signal })
  expect((await following.next()).value).toMatchObject({ state: 'arriving' })
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
  const states: string[] = []
  for await (const { state } of following) states.push(state)
  expect(states.at(-1)).toBe('cancelled')
  expect((await askFor(videoId)).status).toBe(404)
  expect((await fetchFile(videoId, 'media.m3u8', ann)).statusCode).toBe(404)
  await until(async () => site.deps.arriving.find(videoId) === undefined, { timeoutMs: 10_000 })
  await until(async () => {
    const names = await readdir(site.disk.folders.work)
    return !names.some((name) => name.startsWith(`arriving-${videoId}-`))
  })
})

test('a file that is no video says so, and a recording of another kind waits until it is prepared', async () => {
  const nonsense = Buffer.alloc(3 * 1024 * 1024, 'no video')
  const broken = await openLink(ann, nonsense)
  await sendChunks(ann, broken.uploadId, nonsense, [0, 1])
  await askFor(broken.videoId)
  await until(async () => (await askFor(broken.videoId)).data?.plays === 'no', {
    timeoutMs: 10_000,
  })
  const refused = await fetchFile(broken.videoId, 'master.m3u8')
  expect([refused.statusCode, refused.body]).toEqual([
    422,
    'This upload can be watched once it has arrived.',
  ])
  const { signal } = new AbortController()
  const following = followArriving(site.deps, { id: broken.videoId, viewer: undefined, signal })
  await following.next()
  expect((await complete({ site, as: ann }, { uploadId: broken.uploadId })).statusCode).toBe(422)
  let last: string | undefined
  for await (const { state } of following) last = state
  expect(last).toBe('failed')
  expect((await askFor(broken.videoId, ann)).status).toBe(404)
})

test.each([
  ['an unknown upload', '0'.repeat(32), 404, 'There is no such upload.'],
  ['no upload id', 'nonsense', 400, 'uploadId is not an upload id.'],
])('a link is refused for %s', async (_, uploadId, status, sentence) => {
  const answer = await site.post(`/api/uploads/${uploadId}/link`, { as: ann })
  expect([answer.statusCode, answer.body]).toEqual([status, sentence])
})

test('a link is refused for a replacement, a finished upload and another member, and is the same again', async () => {
  const bytes = await makeLargeClip({ seconds: 1 })
  const replacesVideoId = await site.addVideo(ann)
  const opened = await initialize({ site, as: ann }, { size: bytes.length, replacesVideoId })
  const { uploadId } = opened.json<{ uploadId: string }>()
  const replacing = await site.post(`/api/uploads/${uploadId}/link`, { as: ann })
  expect([replacing.statusCode, replacing.body]).toEqual([
    409,
    'This upload replaces a video, which has its link already.',
  ])
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
  const linked = await openLink(ann, bytes)
  const again = await site.post(`/api/uploads/${linked.uploadId}/link`, { as: ann })
  expect(again.json()).toEqual({ videoId: linked.videoId, url: linked.url })
  const other = await site.post(`/api/uploads/${linked.uploadId}/link`, { as: bob })
  expect(other.statusCode).toBe(404)
  await sendChunks(ann, linked.uploadId, bytes, range(0, lastOf(bytes) + 1))
  await complete({ site, as: ann }, { uploadId: linked.uploadId })
  const late = await site.post(`/api/uploads/${linked.uploadId}/link`, { as: ann })
  expect([late.statusCode, late.body]).toEqual([409, 'This upload is already completed.'])
})

test('the id of a cancelled upload is given to no other video', async () => {
  const bytes = await makeLargeClip({ seconds: 1 })
  const { uploadId, videoId } = await openLink(ann, bytes)
  await site.delete(`/api/uploads/${uploadId}`, { as: ann })
  expect(await site.addVideo(ann)).toBeGreaterThan(videoId)
})
