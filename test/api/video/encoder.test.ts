import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createJobWorker } from '#server/video/job/job-worker.ts'
import { type EncoderName, hardwareEncoders } from '#server/video/processing/encode/encoder-name.ts'
import { chooseEncoder } from '#server/video/processing/tasks/choose-encoder.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
let ann: TestMember
/** Encoders of graphics cards that this machine does not have; nobody has all of them. */
const missing: EncoderName[] = []

beforeAll(async () => {
  ann = await site.addMember('ann', { isAdmin: true })
  for (const encoder of hardwareEncoders) {
    await tryEncoder(encoder).catch(() => missing.push(encoder))
  }
  expect(missing).not.toEqual([])
}, 60_000)

const tryEncoder = (encoder: EncoderName) =>
  runMediaTask({ kind: 'test-encoder', encoder }, { timeoutMs: 15_000 })

test('an encoder that works passes the test encode', async () => {
  expect(await tryEncoder('libx264')).toEqual({ encoder: 'libx264' })
})

test('the first candidate whose test encode succeeds is taken, and the processor where none does', async () => {
  const working = hardwareEncoders.find((encoder) => !missing.includes(encoder)) ?? 'libx264'
  expect(await chooseEncoder([...missing, working])).toBe(working)
  expect(await chooseEncoder(missing)).toBe('libx264')
})

test('the admin sees what encodes', async () => {
  await site.deps.jobs.start()
  onTestFinished(() => site.deps.jobs.stop())
  const answer = await site.get('/trpc/job.encoder', { as: ann })
  const name = await chooseEncoder()
  expect(answer.json().result.data).toEqual({ name, isHardware: name !== 'libx264' })
})

longTest('a card that fails at its work is replaced by the processor for that video', async () => {
  const worker = createJobWorker({
    ...site.deps,
    concurrency: 1,
    renditionHeights: [180],
    log: site.log,
    pauses: { failedMs: 50, noRoomMs: 50, noStoreMs: 50 },
    findEncoder: async () => missing[0] ?? 'libx264',
  })
  onTestFinished(() => worker.stop())
  const path = join(site.dataFolder, 'clip.avi')
  await makeClip({ path, container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' })
  const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.avi' })
  const { videoId } = (await complete({ site, as: ann }, { uploadId })).json()
  await worker.start()
  const listJobs = () => site.db.selectFrom('jobs').select(['kind', 'state', 'failures']).execute()
  const isDone = async () => (await listJobs()).filter(({ state }) => state === 'done').length === 2
  await until(isDone, { timeoutMs: 90_000 })
  expect(await listJobs()).toContainEqual({ kind: 'transcode', state: 'done', failures: 1 })
  const log = await site.db.selectFrom('jobLog').select('text').orderBy('id').execute()
  expect(log.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      `Attempt 1 begins, with ${missing[0]}.`,
      'Attempt 2 begins, with libx264.',
    ]),
  )
  const video = await site.get(`/api/videos/${videoId}`, { as: ann })
  expect(video.json()).toMatchObject({ processingState: 'ready', processingError: null })
})
