import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { JOB_LIMITS } from '#server/video/job/job-run.ts'
import { createJobWorker } from '#server/video/job/job-worker.ts'
import { removeRetiredFile } from '#server/video/media/media-folder.ts'
import { listRetiredFilesOfVideo } from '#server/video/media/retired-file.queries.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { listReceivedChunks } from '#server/video/upload/upload.queries.ts'
import { resumeFinishing } from '#server/video/upload/upload-completion.ts'
import { finishDeletion } from '#server/video/video/video-deletion.ts'
import { markVideosAsDeleting } from '#server/video/video/video-rows.queries.ts'
import type { CutSource } from '#shared/schemas/cut.schemas.ts'
import { decodeAll, makeClip } from '#test/support/clips.ts'
import { type FaultProxy, startFaultProxy } from '#test/support/fault-proxy.ts'
import { longTest } from '#test/support/long-form.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { addRows, readRow } from '#test/support/rows.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { listStored, partsOf, readStored, storeFiles } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const AWAY = 'The place where videos are stored does not answer. Please try again in a moment.'

const CHANGED =
  'The place where videos are stored does not keep what it is sent. Please tell an admin.'
const UNREACHED = 'This file cannot be reached at the moment. Please try again soon.'

let server: Awaited<ReturnType<typeof startS3Server>>
let proxy: FaultProxy
let site: TestSite
let ann: TestMember
let admin: TestMember
let log = ''
beforeAll(async () => {
  server = await startS3Server()
  proxy = await startFaultProxy(server.endpoint)
  const variables = server.mediaVariables('away', proxy.endpoint)
  const { media } = readConfig({ ...variables, MEDIA_CACHE_BYTES: '0' })
  const stream = new PassThrough()
  stream.on('data', (data) => {
    log += data
  })
  site = await openTestSite({ media }, { logger: { level: 'warn', stream } })
  ann = await site.addMember('ann')
  admin = await site.addMember('admin', { isAdmin: true })
})
afterEach(() => proxy.heal())
afterAll(async () => {
  await site.close()
  await proxy.stop()
  await server.stop()
})

async function uploadChunks() {
  const path = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path, container: 'mp4', seconds: 2 })
  return sendFile({ site, as: ann }, { path, name: 'clip.mp4' })
}

longTest(
  'what needs the store is answered with a sentence while it is away, and can be done again',
  async () => {
    const uploadId = await uploadChunks()
    proxy.fail('drop')
    const refused = await complete({ site, as: ann }, { uploadId })
    expect([refused.statusCode, refused.body]).toEqual([503, AWAY])
    expect(refused.headers['retry-after']).toBe('5')
    expect(log).toMatch(/"reason":"The store of videos at 127\.0\.0\.1:\d+ does not answer/)
    const ready = () => site.get('/api/ready', { as: admin })
    expect((await ready()).body).toMatch(/The store of videos at .* does not answer/)
    proxy.heal()
    // The site does not use the store again at once.
    await until(async () => (await complete({ site, as: ann }, { uploadId })).statusCode === 200)
    const another = await uploadChunks()
    proxy.fail(403)
    const turnedAway = await complete({ site, as: ann }, { uploadId: another })
    expect(turnedAway.statusCode).toBe(503)
    expect(turnedAway.body).toBe(
      'The place where videos are stored turns the site away. Please tell an admin.',
    )
  },
)

test('a file that arrives with another byte is never published, and is once it arrives as it was sent', async () => {
  const uploadId = await uploadChunks()
  proxy.fail('corrupt', { of: /^PUT/ })
  const refused = await complete({ site, as: ann }, { uploadId })
  expect([refused.statusCode, refused.body]).toEqual([503, CHANGED])
  expect(refused.headers['retry-after']).toBe('60')
  expect(log).toMatch(/"reason":"The store of videos at .* has other bytes of .* than were sent/)
  proxy.heal()
  proxy.fail('corrupt', { times: 2, of: /^PUT/ })
  const completed = await complete({ site, as: ann }, { uploadId })
  expect(completed.statusCode).toBe(200)
  const url = `/api/videos/${completed.json().videoId}`
  const { videoUrl } = (await site.get(url)).json()
  const path = join(site.dataFolder, 'kept.mp4')
  await writeFile(path, (await readStored(site, ...partsOf(videoUrl))) ?? '')
  const sent = await decodeAll(join(site.dataFolder, 'clip.mp4'))
  expect(await decodeAll(path)).toEqual(sent)
})

test('a read that breaks off is continued for who watches, and before its first byte is a sentence', async () => {
  const mediaKey = 'e'.repeat(32)
  const bytes = randomBytes(200_000)
  await storeFiles(site, mediaKey, { 'video.mp4': bytes })
  await site.addVideo(ann, { mediaKey, videoUrl: `/media/${mediaKey}/video.mp4` })
  const url = `/media/${mediaKey}/video.mp4`
  await site.call({ method: 'HEAD', url })
  proxy.fail({ after: 70_000 }, { times: 2 })
  const whole = await site.get(url)
  expect(whole.statusCode).toBe(200)
  expect(whole.rawPayload.equals(bytes)).toBe(true)
  proxy.heal()
  proxy.fail({ after: 30_000 }, { times: 2 })
  const part = await site.get(url, { headers: { range: 'bytes=1000-150999' } })
  expect(part.statusCode).toBe(206)
  expect(part.rawPayload.equals(bytes.subarray(1000, 151_000))).toBe(true)
  proxy.fail({ after: 0 })
  const none = await site.get(url)
  expect([none.statusCode, none.body]).toEqual([503, UNREACHED])
  expect(none.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'retry-after': '5',
    'cache-control': 'no-store',
  })
  expect(none.headers['accept-ranges']).toBeUndefined()
  proxy.heal()
  await until(async () => (await site.get(url)).statusCode === 200)
})

test('an upload that was finished since it was listed is not finished again', async () => {
  const uploadId = await uploadChunks()
  const { db } = site.deps
  const query = db.selectFrom('uploads').selectAll().where('id', '=', uploadId)
  const listed = { ...(await query.executeTakeFirstOrThrow()), state: 'finalizing' as const }
  expect((await complete({ site, as: ann }, { uploadId })).statusCode).toBe(200)
  await resumeFinishing(site.deps, listed)
  expect(await listReceivedChunks(db, uploadId)).toEqual([0])
})

/** Works on the site's queue, hardly pausing between attempts, until the test ends. */
async function startWork() {
  const worker = createJobWorker({
    ...site.deps,
    ...{ concurrency: 1, renditionHeights: [180], log: site.log, jobLimits: JOB_LIMITS },
    pauses: { failedMs: 50, noRoomMs: 50, noStoreMs: 50 },
  })
  onTestFinished(() => worker.stop())
  await worker.start()
  return worker
}

test('a retired file of unknown size stays for the janitor while the store is away', async () => {
  const mediaKey = 'd'.repeat(32)
  const videoId = await site.addVideo(ann, { mediaKey })
  const file = { videoId, name: 'old.jpg', kind: 'picture', bytes: null } as const
  await addRows(site.db, 'mediaFiles', { ...file, retiredAt: timestamp() })
  const left = () => listRetiredFilesOfVideo(site.db, { videoId, kinds: ['picture'] })
  const remove = () => removeRetiredFile(site.deps, { ...file, mediaKey })
  proxy.fail('drop')
  await remove()
  expect(await left()).toHaveLength(1)
  proxy.heal()
  await until(() => remove().then(async () => (await left()).length === 0))
})

/** All of a file is more than can be said. */
function lengthOf(range: string): number {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  return start && end ? Number(end) - Number(start) + 1 : Number.POSITIVE_INFINITY
}

longTest(
  'what the cut page is told is read of the index, and not of the whole recording',
  async () => {
    const path = join(site.dataFolder, 'long.mp4')
    await makeClip({ path, seconds: 20, bFrames: 2, keyFrameSeconds: 1 })
    const uploadId = await sendFile({ site, as: ann }, { path })
    const { videoId } = (await complete({ site, as: ann }, { uploadId })).json()
    const { videoUrl } = (await site.get(`/api/videos/${videoId}`)).json()
    const before = proxy.ranges.length
    const input = { videoId }
    const told = await answerOf<CutSource>(site, { as: ann, name: 'cut.source', input })
    const asked = proxy.ranges.slice(before).map(lengthOf)
    const stored = await readStored(site, ...partsOf(videoUrl))
    const size = stored?.length ?? 0
    expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(size / 10)
    const sourcePath = join(site.dataFolder, 'whole.mp4')
    await writeFile(sourcePath, stored ?? '')
    const whole = await runMediaTask({ kind: 'key-frames', sourcePath }, { timeoutMs: 30_000 })
    expect(told).toEqual({ ...whole, bringBackUntil: null })
  },
)

// Without an end of its own it would wait until the store's line is given up.
test('deleting a video waits for no file that a job fetches', { timeout: 15_000 }, async () => {
  const uploadId = await uploadChunks()
  const { videoId } = (await complete({ site, as: ann }, { uploadId })).json()
  const before = proxy.seen.length
  const fetching = /^GET .*\/video[\w-]*\.mp4/
  proxy.fail('stall', { of: fetching })
  const worker = await startWork()
  worker.wake()
  await until(() => proxy.seen.slice(before).some((line) => fetching.test(line)))
  const jobs = { ...site.deps, jobs: worker }
  const video = await readRow(site.db, 'videos', { id: videoId })
  await site.db.transaction().execute((transaction) => markVideosAsDeleting(transaction, [videoId]))
  expect(await finishDeletion(jobs, videoId)).toBe(true)
  expect(await listStored(site, video.mediaKey)).toEqual([])
})

longTest('jobs wait for it and say so, and no failure is counted', async () => {
  const uploadId = await uploadChunks()
  const { videoId } = (await complete({ site, as: ann }, { uploadId })).json()
  proxy.fail('drop')
  await startWork()
  const readLadder = async () => {
    const url = `/trpc/video.processingStatus?input=${encodeURIComponent(JSON.stringify({ id: videoId }))}`
    return (await site.get(url, { as: ann })).json().result.data.ladder
  }
  await until(async () => {
    const { state, step } = await readLadder()
    return state === 'waiting' && step === 'no-store'
  })
  const readJob = () =>
    site.db.selectFrom('jobs').select(['failures', 'error']).where('videoId', '=', videoId)
  expect(await readJob().executeTakeFirst()).toEqual({ failures: 0, error: null })
  proxy.heal()
  await until(async () => (await readLadder()).state === 'done', { timeoutMs: 90_000 })
})
