import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { JOB_LIMITS, type JobLimits } from '#server/video/job/job-run.ts'
import { createJobWorker } from '#server/video/job/job-worker.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { refuseUpdates } from '#test/support/site-database.ts'
import { removeStored, storeFiles } from '#test/support/stored-files.ts'
import { openTestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { mountSmallDisk } from '#test/torture/support/small-disk.ts'

const site = setUpTestSite()
const { ask } = callsOf(site)
const { ann } = setUpFileMembers(site, ['ann'])

/** Uploads a clip that has to be encoded before it plays, or one that plays at once. @returns the video's id */
async function upload(container: 'avi' | 'mp4', to = { site, as: ann }): Promise<number> {
  const path = join(to.site.dataFolder, `clip.${container}`)
  const codecs = { videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  await makeClip({ path, container, seconds: 3, ...(container === 'avi' && codecs) })
  const uploadId = await sendFile(to, { path, name: `clip.${container}` })
  return (await complete(to, { uploadId })).json().videoId
}

async function readStatus(id: number, from = { site, as: ann }) {
  const input = encodeURIComponent(JSON.stringify({ id }))
  const url = `/trpc/video.processingStatus?input=${input}`
  return (await from.site.get(url, { as: from.as })).json().result.data
}

/** Works on the site's queue, hardly pausing between attempts, until the test ends. */
async function startWork(limits: Partial<JobLimits> = {}, on = site) {
  const warnings: string[] = []
  const worker = createJobWorker({
    ...on.deps,
    concurrency: 1,
    renditionHeights: [180],
    log: { info: () => {}, warn: (_details, message) => warnings.push(message) },
    jobLimits: { ...JOB_LIMITS, ...limits },
    pauses: { failedMs: 50, noRoomMs: 200, noStoreMs: 200 },
  })
  onTestFinished(() => worker.stop())
  await worker.start()
  return { warnings }
}

async function keyOf(id: number): Promise<string> {
  const { mediaKey } = await readRow(site.db, 'videos', { id })
  return mediaKey
}

const readJob = (id: number) =>
  site.db
    .selectFrom('jobs')
    .select(['state', 'failures', 'error'])
    .where('videoId', '=', id)
    .executeTakeFirstOrThrow()

const LIMITS: [string, Partial<JobLimits>][] = [
  ['The work on this file took too long.', { timeoutMs: 1 }],
  ['The work on this file came to a standstill.', { stallMs: 1 }],
  ['This file needs too much memory to work on.', { memoryLimitBytes: 1 }],
]

test.each(quickCases(LIMITS, ['This file needs too much memory to work on.']))(
  'the third failure notifies the owner of why: %s',
  async (reason, limits) => {
    const id = await upload('avi')
    await startWork(limits)
    await until(async () => (await readStatus(id)).processingState === 'failed')
    expect((await readStatus(id)).processingError).toContain(reason)
    expect(await readJob(id)).toEqual({ state: 'failed', failures: 3, error: reason })
  },
)

test.runIf(process.platform === 'linux')(
  'work that the system kills is a failure, not a stop of the server',
  async () => {
    const id = await upload('avi')
    await startWork()
    await until(async () => {
      for (const child of await listMediaProcesses()) process.kill(child, 'SIGKILL')
      return (await readStatus(id)).processingState === 'failed'
    })
    const error = 'The work on this file was ended by the system, perhaps for want of memory.'
    expect((await readStatus(id)).processingError).toBe(error)
    expect(await readJob(id)).toEqual({ state: 'failed', failures: 3, error })
    const { attempt } = await readRow(site.db, 'jobs', { videoId: id })
    expect(attempt).toBe(3)
  },
)

test('why a playing video got no better is reported too', async () => {
  const id = await upload('mp4')
  await startWork({ timeoutMs: 1 })
  await until(async () => (await readStatus(id)).ladder.state === 'failed')
  expect(await readStatus(id)).toMatchObject({
    processingState: 'ready',
    ladder: { error: 'The work on this file took too long.' },
  })
})

test.each<[string, (mediaKey: string) => Promise<void>]>([
  ['The file is missing on the server.', (mediaKey) => removeStored(site, mediaKey, 'source')],
  [
    'This is a text file; the site takes MP4, ',
    (mediaKey) => storeFiles(site, mediaKey, { source: 'It was a video.' }),
  ],
])('what became of the file is reported: %s', async (reason, harm) => {
  const id = await upload('avi')
  await harm(await keyOf(id))
  await startWork()
  await until(async () => (await readStatus(id)).processingState === 'failed')
  expect((await readStatus(id)).processingError).toContain(reason)
})

test('a clip whose file needs too much memory is done without it, and the desk says why', async () => {
  const videoId = await upload('mp4')
  const range = { startSeconds: 0, endSeconds: 2 }
  const input = { videoId, title: 'The shot', ...range }
  await ask(ann, 'clip.create', input)
  await startWork({ memoryLimitBytes: 1 })
  const find = () =>
    site.db
      .selectFrom('jobs')
      .select(['id', 'state', 'error'])
      .where('videoId', '=', videoId)
      .where('kind', '=', 'clip')
      .executeTakeFirst()
  await until(async () => (await find())?.state === 'done')
  const job = await find()
  expect(job?.error).toBe('This file needs too much memory to work on.')
  const log = site.db
    .selectFrom('jobLog')
    .select('text')
    .where('jobId', '=', job?.id ?? 0)
  const texts = (await log.execute()).map(({ text }) => text).join()
  expect(texts).toContain('Clip of 0 s to 2 s: OutOfMemoryError')
  expect(texts).toMatch(/Resident memory rose to \d+ MiB or more; the limit is 0 MiB/)
})

longTest(
  'what went wrong inside is reported in general, and to the admins in its log',
  async () => {
    const id = await upload('avi')
    const allow = await refuseUpdates(site.db, { table: 'mediaFiles', when: sql`1 = 1` })
    await startWork()
    await until(async () => (await readStatus(id)).processingState === 'failed')
    expect((await readStatus(id)).processingError).toBe(
      'Something went wrong on the server. Please try again later.',
    )
    const log = await site.db.selectFrom('jobLog').select('text').orderBy('id', 'desc').execute()
    expect(log.map(({ text }) => text).join()).toContain('refused')
    await allow()
  },
)

test.each([
  ['the queue goes on', 'running', 'the job queue could not be read'],
  ['a failure is written down', 'failed', 'a failed job could not be recorded'],
])('%s once rows can be written again', async (_name, state, warning) => {
  const id = await upload('avi')
  await removeStored(site, await keyOf(id), 'source')
  const allow = await refuseUpdates(site.db, {
    table: 'jobs',
    when: sql`NEW."state" = ${sql.lit(state)}`,
  })
  const { warnings } = await startWork()
  await until(() => warnings.includes(warning))
  await allow()
  await until(async () => (await readStatus(id)).processingState === 'failed')
})

longTest('work waits for room on the disk, says so, and goes on by itself', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-jobs-'))
  const disk = await mountSmallDisk(join(folder, 'disk'), 96).catch(() => undefined)
  if (!disk) return skip('This account may not mount a small file system.')
  const full = await openTestSite({ dataFolder: join(disk.folder, 'data') })
  onTestFinished(async () => {
    await full.close()
    await disk.unmount()
    await rm(folder, { recursive: true, force: true })
  })
  const as = await full.addMember('bob', { isAdmin: true })
  const own = { site: full, as }
  const [waiting, playing] = [await upload('avi', own), await upload('mp4', own)]
  await disk.fill(1024 * 1024)
  await startWork({}, full)
  const url = '/trpc/job.list?input=%7B%7D'
  const listJobs = async () => (await full.get(url, { as })).json().result.data.items
  const isWaiting = (job: { step: string | null }) => job.step === 'no-room'
  await until(async () => (await listJobs()).every(isWaiting))
  await until(async () => {
    const { stage, step } = await readStatus(waiting, own)
    return stage === 'waiting' && step === 'no-room'
  })
  await until(async () => (await readStatus(playing, own)).ladder.step === 'no-room')
  const counted = full.db.selectFrom('jobs').select(['failures', 'error']).execute()
  expect(await counted).toEqual([0, 0].map((failures) => ({ failures, error: null })))
  await disk.clear()
  for (const id of [waiting, playing]) {
    const isDone = async () => (await readStatus(id, own)).ladder?.state === 'done'
    await until(isDone, { timeoutMs: 90_000 })
  }
})
