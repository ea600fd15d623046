import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { removeStored } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann } = setUpFileMembers(site, ['ann'])
let aviPath: string

beforeAll(async () => {
  aviPath = join(site.dataFolder, 'clip.avi')
  await makeClip({
    path: aviPath,
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
    seconds: 3,
  })
})

const uploadAvi = async () => {
  const uploadId = await sendFile({ site, as: ann }, { path: aviPath, name: 'clip.avi' })
  const answer = await complete({ site, as: ann }, { uploadId })
  return answer.json().videoId as number
}
const getVideo = (id: number, as?: TestMember) =>
  site.get(`/api/videos/${id}`, { ...(as && { as }) })
const getStatus = async (id: number) => {
  const input = encodeURIComponent(JSON.stringify({ id }))
  const url = `/trpc/video.processingStatus?input=${input}`
  return (await site.get(url, { as: ann })).json().result.data
}

test('an AVI waits in the queue, shows its progress, and becomes playable', async () => {
  const id = await uploadAvi()
  expect((await getVideo(id)).statusCode).toBe(404)
  expect((await getVideo(id, ann)).json()).toMatchObject({
    processingState: 'processing',
    videoUrl: null,
    thumbnailUrl: expect.stringMatching(/\/poster-\w+\.jpg$/),
  })
  expect((await site.get('/api/videos')).json()).toEqual([])
  expect(await getStatus(id)).toMatchObject({ stage: 'waiting', queuePosition: 1 })

  await site.deps.jobs.start()
  await until(async () => (await getStatus(id)).stage === 'preparing')
  await until(async () => (await getVideo(id)).statusCode === 200)
  const video = (await getVideo(id)).json()
  expect(video).toMatchObject({ processingState: 'ready', duration: 3 })
  const bytes = await site.get(video.videoUrl)
  expect(bytes.rawPayload.indexOf('avc1')).toBeGreaterThan(0)
  expect(await getStatus(id)).toMatchObject({ stage: 'done', percent: 100 })
  await until(async () => (await getStatus(id)).ladder.state === 'done')
  await until(async () => (await readdir(site.disk.folders.work)).length === 0)
})

longTest('a transport stream becomes playable, stays as it was sent, and can be cut', async () => {
  const path = join(site.dataFolder, 'clip.ts')
  await makeClip({ path, container: 'mpegts', bFrames: 2, seconds: 3, keyFrameSeconds: 1 })
  const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.ts' })
  const id = (await complete({ site, as: ann }, { uploadId })).json().videoId as number
  await until(async () => (await getStatus(id)).ladder?.state === 'done')
  expect((await getVideo(id)).json()).toMatchObject({ processingState: 'ready', duration: 3 })
  const url = `/api/videos/${id}/download?quality=original`
  const original = await site.get(url, { as: ann })
  expect(original.headers['content-disposition']).toMatch(/\.ts"/)
  expect(original.rawPayload.equals(await readFile(path))).toBe(true)

  const input = encodeURIComponent(JSON.stringify({ videoId: id }))
  const source = await site.get(`/trpc/cut.source?input=${input}`, { as: ann })
  const { keyFrameSeconds, frameRate } = source.json().result.data
  // Times in the copy are whole milliseconds.
  expect(frameRate).toBeCloseTo(30, 1)
  expect(keyFrameSeconds).toHaveLength(3)
  const payload = { parts: [{ fromSeconds: 0.5, toSeconds: 2.5 }], as: 'new' }
  const cut = await site.post(`/api/videos/${id}/cut`, { as: ann, payload })
  const made = cut.json().videoId as number
  await until(async () => (await getStatus(made)).ladder?.state === 'done')
  expect((await getVideo(made)).json()).toMatchObject({ processingState: 'ready', duration: 2 })
  await until(async () => (await readdir(site.disk.folders.work)).length === 0)
})

test('a job that a stop interrupted goes on at the next start', async () => {
  await site.deps.jobs.stop()
  const id = await uploadAvi()
  await site.deps.jobs.start()
  await until(async () => (await getStatus(id)).stage === 'preparing')
  await site.deps.jobs.stop()
  const job = await site.db
    .selectFrom('jobs')
    .select(['state', 'failures', 'interruptions'])
    .where('videoId', '=', id)
    .executeTakeFirstOrThrow()
  expect(job).toEqual({ state: 'queued', failures: 0, interruptions: 1 })
  await site.deps.jobs.start()
  await until(async () => (await getVideo(id)).statusCode === 200)
})

longTest('deleting a video that is being prepared ends the work', async () => {
  const id = await uploadAvi()
  await until(async () => (await getStatus(id)).stage === 'preparing')
  const answer = await site.delete(`/api/videos/${id}`, { as: ann })
  expect(answer.statusCode).toBe(204)
  expect((await getVideo(id, ann)).statusCode).toBe(404)
  const jobs = await site.db.selectFrom('jobs').select('id').where('videoId', '=', id).execute()
  expect(jobs).toEqual([])
  expect(await readdir(site.disk.folders.work)).toEqual([])
})

test('after its third failure a video is failed with a sentence for its owner only', async () => {
  await site.deps.jobs.stop()
  const id = await uploadAvi()
  const failing = { failures: 2, attempt: 2 }
  await site.db.updateTable('jobs').set(failing).where('videoId', '=', id).execute()
  const { mediaKey } = await readRow(site.db, 'videos', { id })
  await removeStored(site, mediaKey, 'source')
  await site.deps.jobs.start()
  await until(async () => (await getVideo(id, ann)).json().processingState === 'failed')
  expect((await getVideo(id, ann)).json().processingError).toMatch(/^[A-Z].*\.$/)
  expect((await getVideo(id)).statusCode).toBe(404)
})

test('an upload notifies the subscribers once it is visible, and never an anonymous one', async () => {
  const fan = await site.addMember('fan')
  await site.post('/api/subscriptions', { as: fan, payload: { channelId: ann.id } })
  const clip = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path: clip, seconds: 1 })
  const upload = async (isAnonymous: boolean) => {
    const metadata = { title: isAnonymous ? 'Hidden' : 'Shown', isAnonymous }
    const uploadId = await sendFile({ site, as: ann }, { path: clip, metadata })
    await complete({ site, as: ann }, { uploadId })
  }
  await upload(true)
  await upload(false)
  const url = `/api/users/${fan.id}/notifications`
  const list = (await site.get(url, { as: fan })).json()
  expect(list).toMatchObject([{ type: 'upload', message: 'Shown', sourceUser: { id: ann.id } }])
})
