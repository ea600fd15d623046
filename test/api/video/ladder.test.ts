import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { hashStored } from '#server/platform/files/file-hash.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { SHARE_FILE_BYTES_MAX } from '#shared/limits.ts'
import { posterOf } from '#shared/poster.ts'
import type { WorkStatus } from '#shared/schemas/video.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { parseMaster, parseMedia, parseSounds } from '#test/support/hls.ts'
import { followNotifications } from '#test/support/live-events.ts'
import { longTest } from '#test/support/long-form.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { storedBytes } from '#test/support/stored-bytes.ts'
import { listStored, madeAs, readStored, storeFiles } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite({ renditionHeights: [768, 180, 96] })
const { ann } = setUpFileMembers(site, ['ann'])

const get = (url: string, as?: TestMember, headers: Record<string, string> = {}) =>
  site.get(url, { headers, ...(as && { as }) })
const ask = async (procedure: string, id: number, as: TestMember = ann) => {
  const input = encodeURIComponent(JSON.stringify({ id }))
  return (await get(`/trpc/${procedure}?input=${input}`, as)).json().result.data
}
const order = (procedure: string, id: number, as: TestMember = ann) =>
  site.post(`/trpc/${procedure}`, { as, payload: { id } })
const getVideo = async (id: number) => (await get(`/api/videos/${id}`, ann)).json()

async function upload(path: string): Promise<number> {
  const uploadId = await sendFile({ site, as: ann }, { path })
  return (await complete({ site, as: ann }, { uploadId })).json().videoId
}

const ladderIsDone = async (id: number) =>
  (await ask('video.processingStatus', id)).ladder?.state === 'done'

test('a video that plays at once gets its ladder while it is ready', async () => {
  const path = await makeClip({
    path: join(site.dataFolder, 'a.mp4'),
    audioTracks: 2,
    audioLanguages: ['eng', 'fra'],
    seconds: 3,
  })
  const id = await upload(path)
  expect(await ask('video.playback', id)).toMatchObject({ soundLanguage: 'eng', soundTracks: [] })
  const before = await getVideo(id)
  expect(before).toMatchObject({ processingState: 'ready', hlsUrl: null, storyboardUrl: null })
  expect((await get(before.videoUrl)).statusCode).toBe(200)
  expect(await ask('video.processingStatus', id)).toMatchObject({
    stage: 'done',
    ladder: { state: 'waiting', queuePosition: 1 },
  })

  await site.deps.jobs.start()
  await until(() => ladderIsDone(id))
  const video = await getVideo(id)
  expect(video).toMatchObject({ processingState: 'ready', videoUrl: before.videoUrl })
  const base = video.videoUrl.slice(0, video.videoUrl.lastIndexOf('/') + 1)

  const master = await get(video.hlsUrl)
  expect(master.headers['content-type']).toBe('application/vnd.apple.mpegurl')
  const entries = parseMaster(master.body)
  expect(entries.map(({ attributes }) => attributes.RESOLUTION)).toEqual(['320x180', '170x96'])
  for (const { playlist } of entries) {
    const media = parseMedia((await get(base + playlist)).body)
    const { start, bytes } = media.segments[1] ?? { start: 0, bytes: 0 }
    const range = `bytes=${start}-${start + bytes - 1}`
    const part = await get(base + media.file, undefined, { range })
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, bytes])
    expect(part.headers['content-type']).toBe('video/mp4')
    expect(part.rawPayload.toString('latin1', 4, 8)).toBe('moof')
  }

  const [own, further] = parseSounds(master.body)
  const names = [own?.NAME, madeAs(own?.URI ?? ''), further?.NAME]
  expect(names).toEqual(['English', 'sound-1.m3u8', 'French'])
  const sound = parseMedia((await get(base + further?.URI)).body)
  const soundPart = await get(base + sound.file, undefined, { range: 'bytes=0-99' })
  expect([soundPart.statusCode, soundPart.headers['content-type']]).toEqual([206, 'audio/mp4'])

  const board = await get(video.storyboardUrl)
  expect(board.headers['content-type']).toBe('text/vtt; charset=utf-8')
  const sheet = /^(storyboard-[-\w]+\.jpg)#/m.exec(board.body)?.[1]
  expect((await get(base + sheet)).headers['content-type']).toBe('image/jpeg')
  for (const address of posterOf(video).srcSet?.split(', ') ?? []) {
    const [url = ''] = address.split(' ')
    expect((await get(url)).headers['content-type']).toBe('image/webp')
  }
  expect(posterOf(video).srcSet).toContain('640w')

  const playback = await ask('video.playback', id)
  expect(playback).toMatchObject({ shareUrl: video.videoUrl, hlsUrl: video.hlsUrl })
  expect(playback.renditions).toMatchObject([{ name: 180, copied: true }, { name: 96 }])
  expect(playback.loudnessLufs).toBeLessThan(0)
  expect((await get(playback.waveformUrl)).rawPayload.length).toBeGreaterThan(0)
  expect(playback).toMatchObject({ soundLanguage: 'eng', soundTracks: [{ language: 'fra' }] })
  expect((await get(playback.soundTracks[0].url)).headers['content-type']).toBe('audio/mp4')
  await expectBooked(id)
})

longTest(
  'the owner gets live events of the progress of the ladder of a playing video',
  async () => {
    const path = await makeClip({ path: join(site.dataFolder, 'live.mp4'), seconds: 2 })
    const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const stream = await followNotifications(origin, ann)
    expect(await stream.nextWork()).toEqual([])
    const id = await upload(path)
    const ladders: (WorkStatus | null | undefined)[] = []
    for (;;) {
      const [work] = await stream.nextWork()
      if (work) expect(work).toMatchObject({ videoId: id, processingState: 'ready', stage: 'done' })
      if (!work && ladders.length > 0) break
      if (work) ladders.push(work.ladder)
    }
    expect(ladders.map((ladder) => ladder?.state)).toContain('running')
    expect(await ladderIsDone(id)).toBe(true)
    stream.close()
  },
)

/** The files are those of the rows, and the row reports their size. */
async function expectBooked(id: number): Promise<void> {
  const { mediaKey, storageBytes } = await readRow(site.db, 'videos', { id })
  const rows = await site.db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes', 'sha256'])
    .where('videoId', '=', id)
    .execute()
  const names = (await listStored(site, mediaKey)).filter((name) => name !== 'source')
  expect(rows.map((row) => row.name).sort()).toEqual(names)
  expect(storageBytes).toBe(await storedBytes(site.media, mediaKey))
  for (const { name, bytes, sha256 } of rows) {
    const key = storeKey(mediaKey, name)
    expect((await site.media.stat(key))?.bytes).toBe(bytes)
    expect(sha256).toBe(await hashStored(site.media, key))
  }
}

longTest('what does not play is first scaled down and soon, then good', async () => {
  const path = await makeClip({
    path: join(site.dataFolder, 'b.avi'),
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
    width: 768,
    height: 768,
    seconds: 1,
  })
  const id = await upload(path)
  await until(async () => (await getVideo(id)).processingState === 'ready')
  const first = (await getVideo(id)).videoUrl as string
  expect(madeAs(first)).toMatch(/\/first\.mp4$/)
  await until(() => ladderIsDone(id))
  const video = await getVideo(id)
  expect(video).toMatchObject({ width: 768, height: 768 })
  expect(madeAs(video.videoUrl)).toMatch(/\/video\.mp4$/)
  expect((await get(video.videoUrl)).statusCode).toBe(200)
  const { renditions, shareUrl } = await ask('video.playback', id)
  // Chats have 720p at most, and keep the address that they were first given.
  expect(shareUrl).toBe(first)
  expect((await get(first)).statusCode).toBe(200)
  expect(renditions).toMatchObject([
    { name: 768, copied: false },
    { name: 180, copied: true },
    { name: 96, copied: false },
  ])
  await expectBooked(id)
})

longTest('a first file that serves no more goes once nobody can be watching it', async () => {
  const path = await makeClip({
    ...{ path: join(site.dataFolder, 'd.avi'), container: 'avi', videoCodec: 'mpeg4' },
    ...{ width: 768, height: 768, seconds: 4 },
  })
  const id = await upload(path)
  await until(async () => (await ask('video.processingStatus', id)).ladder?.state === 'running')
  expect((await order('video.cancelProcessing', id)).statusCode).toBe(200)
  const first = (await getVideo(id)).videoUrl as string
  await fillUp(id, 'first.mp4')
  expect((await order('video.retryProcessing', id)).statusCode).toBe(200)
  await until(() => ladderIsDone(id))
  expect((await ask('video.playback', id)).shareUrl).toMatch(/\/share\.mp4$/)

  // Whoever is watching the first file can go on for a day.
  expect((await get(first)).statusCode).toBe(200)
  await site.db
    .updateTable('mediaFiles')
    .set({ retiredAt: '2020-01-01T00:00:00.000Z' })
    .where('retiredAt', 'is not', null)
    .execute()
  await tidy({ ...site.deps, log: site.log }, new Set())
  expect((await get(first)).statusCode).toBe(404)
  await expectBooked(id)
})

/** Makes a video's MP4 too large for chats, with a box that players skip. */
async function fillUp(videoId: number, name: string): Promise<void> {
  const { mediaKey } = await readRow(site.db, 'videos', { id: videoId })
  const file = (await readStored(site, mediaKey, name)) ?? Buffer.alloc(0)
  const bytes = file.length + SHARE_FILE_BYTES_MAX
  const box = Buffer.alloc(SHARE_FILE_BYTES_MAX)
  box.writeUInt32BE(SHARE_FILE_BYTES_MAX)
  box.write('free', 4)
  await storeFiles(site, mediaKey, { [name]: Buffer.concat([file, box]) })
  const files = site.db.updateTable('mediaFiles').set({ bytes })
  await files.where('videoId', '=', videoId).where('name', '=', name).execute()
}

longTest('the files of a ladder follow the video that they belong to', async () => {
  const [{ id, hlsUrl }] = (await get('/api/videos')).json()
  const approve = (contentApproved: 0 | 1) =>
    site.db.updateTable('videos').set({ contentApproved }).where('id', '=', id).execute()
  expect((await get(hlsUrl)).headers['cache-control']).toContain('immutable')
  await approve(0)
  expect((await get(hlsUrl)).statusCode).toBe(404)
  expect((await get(hlsUrl, ann)).headers['cache-control']).toBe('private, no-cache')
  await approve(1)
  expect((await get(hlsUrl.replace(/[^/]+$/, 'source'), ann)).statusCode).toBe(404)
  expect((await order('video.delete', id)).statusCode).toBe(200)
  expect((await get(hlsUrl, ann)).statusCode).toBe(404)
})

longTest('work can be cancelled and taken up again', async () => {
  const path = await makeClip({
    path: join(site.dataFolder, 'c.avi'),
    container: 'avi',
    videoCodec: 'mpeg4',
    width: 1280,
    height: 720,
    seconds: 4,
  })
  const id = await upload(path)
  await until(async () => (await ask('video.processingStatus', id)).stage === 'preparing')
  const bob = await site.addMember('bob')
  expect((await order('video.cancelProcessing', id, bob)).statusCode).toBe(404)
  expect((await order('video.cancelProcessing', id)).statusCode).toBe(200)
  const status = await ask('video.processingStatus', id)
  expect(status).toMatchObject({ processingState: 'failed', stage: 'done' })
  expect(status.processingError).toBe('The work on this video was cancelled.')
  expect(await readdir(site.disk.folders.work)).toEqual([])
  expect((await order('video.cancelProcessing', id)).statusCode).toBe(409)

  const admin = await site.addMember('admin', { isAdmin: true })
  expect((await order('video.retryProcessing', id, admin)).statusCode).toBe(200)
  await until(async () => (await getVideo(id)).processingState === 'ready')
  await until(async () => (await ask('video.processingStatus', id)).ladder?.state === 'running')
  expect((await order('video.cancelProcessing', id)).statusCode).toBe(200)
  expect(await ask('video.processingStatus', id)).toMatchObject({
    processingState: 'ready',
    ladder: { state: 'failed', error: 'The work on this video was cancelled.' },
  })
  expect((await order('video.retryProcessing', id)).statusCode).toBe(200)
  expect((await order('video.retryProcessing', id)).statusCode).toBe(409)
  await until(() => ladderIsDone(id))
})
