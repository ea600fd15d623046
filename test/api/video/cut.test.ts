import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { makeClip, readClip } from '#test/support/clips.ts'
import { held, leaveRoom } from '#test/support/held.ts'
import { longTest } from '#test/support/long-form.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored, readStored } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, multipart, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { owner, member } = setUpFileMembers(site, ['owner', 'member'])
let clip: string

const DAY_MS = 24 * 60 * 60 * 1000
const HALVES: CutPart[] = [
  { fromSeconds: 1, toSeconds: 2 },
  { fromSeconds: 4, toSeconds: 5.5 },
]

beforeAll(async () => {
  clip = join(site.dataFolder, 'clip.mp4')
  const languages = { audioTracks: 2, audioLanguages: ['eng', 'deu'] }
  const size = { width: 160, height: 90 }
  await makeClip({ path: clip, ...size, seconds: 6, bFrames: 2, keyFrameSeconds: 1, ...languages })
  await site.deps.jobs.start()
})

async function upload(description = '') {
  const uploadId = await sendFile({ site, as: owner }, { path: clip })
  const id = (await complete({ site, as: owner }, { uploadId })).json().videoId as number
  const payload = { description }
  await site.patch(`/api/videos/${id}`, { payload, as: owner })
  return id
}

async function ladderIsDone(id: number) {
  await until(async () => (await read(id)).hlsUrl !== null)
}

const inMs = (seconds: number) => Math.round(seconds * 1000)
const start = (id: number, payload: object, as = owner) =>
  site.post(`/api/videos/${id}/cut`, { payload, as })
const state = async (id: number) => (await site.get(`/api/videos/${id}/cut`, { as: owner })).json()
const read = async (id: number, as = owner) => (await site.get(`/api/videos/${id}`, { as })).json()
const cutIsDone = (id: number) => until(async () => (await state(id)).cut === null)

async function comment(videoId: number, content: string) {
  const payload = { videoId, content }
  await site.post('/api/comments', { payload, as: member })
}
async function comments(id: number) {
  const answer = await site.get(`/api/videos/${id}/comments`)
  return (answer.json() as { content: string }[]).map(({ content }) => content).sort()
}
const rowOf = (id: number) =>
  site.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const keyOf = async (id: number) => (await rowOf(id)).mediaKey
const isStored = async (mediaKey: string) => (await listStored(site, mediaKey)).length > 0
async function positionOf(id: number) {
  const row = await site.db
    .selectFrom('history')
    .select('positionSeconds')
    .where('videoId', '=', id)
    .where('userId', '=', member.id)
    .executeTakeFirst()
  return row?.positionSeconds
}

test('the page is told of key frames, the length and the rate', async () => {
  const id = await upload()
  const url = `/trpc/cut.source?input=${encodeURIComponent(JSON.stringify({ videoId: id }))}`
  const { result } = (await site.get(url, { as: owner })).json()
  expect(result.data).toMatchObject({ frameRate: 30, bringBackUntil: null })
  expect(result.data.durationSeconds).toBeCloseTo(6, 1)
  const [picture] = (await readClip(clip)).pictures
  expect(picture?.keyTimes).toHaveLength(6)
  const told = result.data.keyFrameSeconds as number[]
  expect(told.map(inMs)).toEqual(picture?.keyTimes.map(inMs))
})

longTest('where pictures are made of fields, the page steps by these', async () => {
  const path = await makeClip({
    path: join(site.dataFolder, 'fields.mp4'),
    ...{ width: 160, height: 96, seconds: 2, interlaced: true, frameRate: 50, audioCodec: null },
  })
  const uploadId = await sendFile({ site, as: owner }, { path })
  const videoId = (await complete({ site, as: owner }, { uploadId })).json().videoId as number
  await until(async () => (await read(videoId)).processingState === 'ready')
  const url = `/trpc/cut.source?input=${encodeURIComponent(JSON.stringify({ videoId }))}`
  const { result } = (await site.get(url, { as: owner })).json()
  expect(result.data.frameRate).toBeCloseTo(50, 1)
})

test('a cut becomes a new video of the same owner, with its captions and chapters', async () => {
  const id = await upload('0:00 Begin\n0:01 Fight\n0:03 Rest\n0:05 End')
  await site.post(`/api/videos/${id}/captions`, {
    as: owner,
    ...multipart({
      language: 'en',
      captions: Buffer.from('WEBVTT\n\n00:01.500 --> 00:04.500\nOver there\n'),
    }),
  })
  const answer = await start(id, { parts: HALVES, as: 'new', title: 'The fight' })
  expect(answer.statusCode).toBe(202)
  const { videoId } = answer.json()
  expect((await start(id, { parts: HALVES, as: 'new' })).statusCode).toBe(409)
  await cutIsDone(videoId)
  const made = await read(videoId)
  expect(made).toMatchObject({ title: 'The fight', processingState: 'ready', userId: owner.id })
  expect(made).toMatchObject({ visibility: 'public', width: 160, height: 90 })
  expect(made.description).toBe('0:00 Fight\n0:01 Rest\n0:02 End')
  expect((await rowOf(videoId)).duration).toBe(3)
  const { file } = await readRow(site.db, 'captions', { videoId })
  const text = `${await readStored(site, await keyOf(videoId), file)}`
  expect(text).toContain('00:00:00.500 --> 00:00:01.000\nOver there')
  expect(text).toContain('00:00:01.000 --> 00:00:01.500\nOver there')
  await ladderIsDone(videoId)
  const tracks = await site.db
    .selectFrom('soundTracks')
    .select('language')
    .where('videoId', '=', videoId)
    .execute()
  expect(tracks).toEqual([{ language: 'deu' }])
  expect((await read(id)).duration).toBe(6)
})

longTest(
  'a cut takes the place of its recording, which can be brought back for a week',
  async () => {
    const id = await upload('0:00 Begin\n0:05 End')
    await ladderIsDone(id)
    const before = await rowOf(id)
    const oldKey = await keyOf(id)
    await comment(id, 'Look at 0:01 and 0:05, not at 0:03')
    const payload = { videoId: id, positionSeconds: 5, watchedSeconds: 1 }
    await site.post('/trpc/history.report', { payload, as: member })
    expect((await start(id, { parts: HALVES, as: 'replace' })).json()).toEqual({ videoId: id })
    expect((await state(id)).cut).toMatchObject({ as: 'replace' })
    await cutIsDone(id)

    const after = await rowOf(id)
    expect(after).toMatchObject({ title: before.title, processingState: 'ready', duration: 3 })
    expect(after.videoUrl).not.toBe(before.videoUrl)
    expect(after.description).toBe('0:00 Begin\n0:02 End')
    expect(await comments(id)).toEqual(['Look at 0:00 and 0:02, not at 0:01'])
    expect(await positionOf(id)).toBeCloseTo(2, 1)
    const { bringBackUntil } = await state(id)
    expect((Date.parse(bringBackUntil) - Date.now()) / DAY_MS).toBeCloseTo(7, 1)
    expect((await site.get(`${before.videoUrl}`)).statusCode).toBe(404)
    await ladderIsDone(id)

    await tidy({ ...site.deps, log: { warn: () => {} } }, new Set())
    expect(await isStored(oldKey)).toBe(true)
    const newKey = await keyOf(id)
    const url = `/api/videos/${id}/cut/bring-back`
    // What is left without the cut recording has to fit.
    const { storageBytes } = await rowOf(id)
    await leaveRoom(site, owner, -storageBytes - 1)
    const refused = await site.post(url, { as: owner })
    expect([refused.statusCode, refused.body]).toEqual([413, expect.stringContaining('quota')])
    await leaveRoom(site, owner, -storageBytes)
    expect((await site.post(url, { as: owner })).statusCode).toBe(204)
    await leaveRoom(site, owner, null)
    expect(await rowOf(id)).toMatchObject({ videoUrl: before.videoUrl, duration: 6 })
    expect((await rowOf(id)).description).toBe('0:00 Begin\n0:05 End')
    expect(await comments(id)).toEqual(['Look at 0:01 and 0:05, not at 0:04'])
    expect(await positionOf(id)).toBeCloseTo(5, 1)
    expect(await isStored(newKey)).toBe(false)
    expect((await site.get(`${before.videoUrl}`)).statusCode).toBe(200)
    expect((await site.post(url, { as: owner })).statusCode).toBe(409)
  },
)

longTest('after a week nothing is left of what was cut, and its bytes are free', async () => {
  const id = await upload()
  await ladderIsDone(id)
  const oldKey = await keyOf(id)
  await start(id, { parts: HALVES, as: 'replace' })
  await cutIsDone(id)
  await ladderIsDone(id)
  const { videoId: parked } = await readRow(site.db, 'cuts', { sourceVideoId: id })
  const parkedAt = new Date(Date.now() - 8 * DAY_MS).toISOString()
  await site.db.updateTable('cuts').set({ parkedAt }).where('sourceVideoId', '=', id).execute()
  await tidy({ ...site.deps, log: { warn: () => {} } }, new Set())
  expect(await isStored(oldKey)).toBe(false)
  expect((await state(id)).bringBackUntil).toBeNull()
  const left = await site.db.selectFrom('videos').select('id').where('id', '=', parked).execute()
  expect(left).toEqual([])
  const { bytes } = await readRow(site.db, 'storageTotals', { kind: 'all' })
  const rows = await site.db.selectFrom('videos').select('storageBytes').execute()
  expect(bytes).toBe(rows.reduce((sum, row) => sum + row.storageBytes, 0))
})

longTest(
  'the old recording counts towards the quota until it is deleted, which can be at once',
  async () => {
    const id = await upload()
    const oldKey = await keyOf(id)
    await ladderIsDone(id)
    const { storageBytes: oldBytes } = await rowOf(id)
    const before = await held(site, owner)
    await start(id, { parts: HALVES, as: 'replace' })
    await cutIsDone(id)
    await site.deps.jobs.stop()
    const parked = await held(site, owner)
    expect(oldBytes).toBeGreaterThan(1000)
    expect(parked.of('parked') - before.of('parked')).toBe(oldBytes)
    expect(parked.heldBytes).toBe(before.heldBytes + (await rowOf(id)).storageBytes)
    const forget = (as: TestMember) => site.delete(`/api/videos/${id}/cut/old`, { as })
    expect((await forget(member)).statusCode).toBe(403)
    expect(await isStored(oldKey)).toBe(true)
    expect((await forget(owner)).statusCode).toBe(204)
    expect(await isStored(oldKey)).toBe(false)
    expect((await held(site, owner)).heldBytes).toBe(parked.heldBytes - oldBytes)
    expect(await state(id)).toEqual({ cut: null, bringBackUntil: null })
    expect(await read(id)).toMatchObject({ processingState: 'ready', duration: 3 })
    expect((await forget(owner)).statusCode).toBe(409)
    await site.deps.jobs.start()
  },
)

test('two cuts at once are not both let in for the same last bytes', async () => {
  await site.deps.jobs.stop()
  const ids = [await upload(), await upload()]
  await leaveRoom(site, owner, 12 * 1024 * 1024)
  const answers = await Promise.all(ids.map((id) => start(id, { parts: HALVES, as: 'new' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 413])
  await leaveRoom(site, owner, null)
  await site.deps.jobs.start()
})

longTest(
  'a video that is deleted takes the recording along that waits to be brought back',
  async () => {
    const id = await upload()
    const oldKey = await keyOf(id)
    await start(id, { parts: HALVES, as: 'replace' })
    await cutIsDone(id)
    await site.delete(`/api/videos/${id}`, { as: owner })
    await tidy({ ...site.deps, log: { warn: () => {} } }, new Set())
    expect(await isStored(oldKey)).toBe(false)
    expect(await site.db.selectFrom('cuts').selectAll().execute()).toEqual([])
  },
)

test('what makes no sense is refused with a sentence, and nothing changes', async () => {
  const id = await upload()
  const part = (fromSeconds: number, toSeconds: number) => ({ fromSeconds, toSeconds })
  const videos = () => site.db.selectFrom('videos').select('id').execute()
  const before = await videos()
  const refusals: [CutPart[], RegExp][] = [
    [[part(3, 2)], /ends before it begins/],
    [[part(-1, 2)], /^A part begins before the video: its time must not be negative\.$/],
    [[part(0, -2)], /^A part ends before the video: its time must not be negative\.$/],
    [[part(2, 9)], /beyond the end/],
    [[part(0, 2), part(1, 4)], /without overlapping/],
    [[part(3, 4), part(0, 2)], /without overlapping/],
    [[part(1, 1.4)], /at least one second/],
    [[], /at least one part/],
    [Array.from({ length: 1000 }, (_, at) => part(at / 1000, at / 1000 + 0.0005)), /at most 200/],
  ]
  for (const [parts, sentence] of refusals) {
    const answer = await start(id, { parts, as: 'new' })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringMatching(sentence)])
  }
  expect((await start(id, { parts: HALVES, as: 'new' }, member)).statusCode).toBe(403)
  expect((await start(999_999, { parts: HALVES, as: 'new' })).statusCode).toBe(404)
  expect(await videos()).toEqual(before)
})

longTest('a cut that is cancelled changes nothing, and can be taken up again', async () => {
  const id = await upload()
  await site.deps.jobs.stop()
  const { videoUrl } = await read(id)
  await start(id, { parts: HALVES, as: 'replace' })
  const { videoId } = (await state(id)).cut
  const call = (name: string) =>
    site.post(`/trpc/video.${name}`, { payload: { id: videoId }, as: owner })
  expect((await call('cancelProcessing')).statusCode).toBe(200)
  expect((await state(id)).cut).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('cancelled'),
  })
  expect((await read(id)).videoUrl).toBe(videoUrl)
  expect((await call('retryProcessing')).statusCode).toBe(200)
  await site.deps.jobs.start()
  await cutIsDone(id)
  expect((await read(id)).duration).toBe(3)
})

longTest('clips move with a cut, and a clip becomes a video where that is allowed', async () => {
  const id = await upload()
  const add = async (startSeconds: number, endSeconds: number) => {
    const payload = { videoId: id, title: 'The shot', startSeconds, endSeconds }
    const answer = await site.post('/api/clips', { payload, as: member })
    return answer.json().id as number
  }
  const [kept, lost] = [await add(1, 5.5), await add(2, 4)]
  const save = (as: TestMember) => site.post(`/api/clips/${lost}/video`, { as })
  expect((await save(member)).statusCode).toBe(403)
  await site.db.updateTable('videos').set({ allowsClipVideos: 1 }).where('id', '=', id).execute()
  const { videoId } = (await save(member)).json()
  await until(async () => (await read(videoId, member)).processingState === 'ready')
  const made = { userId: member.id, title: 'The shot', duration: 2, visibility: 'private' }
  expect(await read(videoId, member)).toMatchObject(made)

  await start(id, { parts: HALVES, as: 'replace' })
  const late = { videoId: id, title: 'Too late', startSeconds: 0, endSeconds: 3 }
  const refused = await site.post('/api/clips', { payload: late, as: member })
  expect(refused.statusCode).toBe(409)
  await cutIsDone(id)
  const clips = () =>
    site.db
      .selectFrom('clips')
      .select(['id', 'startSeconds', 'endSeconds'])
      .where('videoId', '=', id)
      .execute()
  expect(await clips()).toEqual([{ id: kept, startSeconds: 0, endSeconds: 2.5 }])
  await site.post(`/api/videos/${id}/cut/bring-back`, { as: owner })
  expect(await clips()).toEqual([{ id: kept, startSeconds: 1, endSeconds: 5.5 }])
})

longTest(
  'a cut of a recording that was replaced meanwhile changes nothing, and a new one forgets it',
  async () => {
    const id = await upload()
    await site.deps.jobs.stop()
    await start(id, { parts: HALVES, as: 'replace' })
    const payload = {
      fileName: 'b.mp4',
      fileSize: 5,
      metadata: { title: 'Newer' },
      replacesVideoId: id,
    }
    const url = '/api/uploads/initialize'
    expect((await site.post(url, { payload, as: owner })).statusCode).toBe(409)
    const { videoId } = (await state(id)).cut
    await changeRows(site.db, 'cuts', { where: { videoId }, values: { sourceMediaKey: 'another' } })
    await site.deps.jobs.start()
    await until(async () => (await state(id)).cut?.state === 'failed')
    expect((await state(id)).cut.error).toMatch(/changed meanwhile/)
    expect((await read(id)).duration).toBe(6)
    await start(id, { parts: HALVES, as: 'replace' })
    await cutIsDone(id)
    expect((await read(id)).duration).toBe(3)
  },
)

longTest('times in the comments on a clip stay, as they count from its beginning', async () => {
  const id = await upload()
  const clip = { videoId: id, title: 'The shot', startSeconds: 0, endSeconds: 6 }
  const made = await site.post('/api/clips', { payload: clip, as: member })
  const said = { videoId: id, clipId: made.json().id, content: 'Look at 0:01' }
  await site.post('/api/comments', { payload: said, as: member })
  await start(id, { parts: HALVES, as: 'replace' })
  await cutIsDone(id)
  const row = await readRow(site.db, 'comments', { videoId: id })
  expect(row.content).toBe('Look at 0:01')
})
