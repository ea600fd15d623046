import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { asWorker, type Order, type WorkerClient } from '#test/support/worker-client.ts'
import { addWorker, type WorkerProcess } from '#test/support/worker-process.ts'
import {
  isDone,
  makeRecordings,
  openWorkerSite,
  type WorkerSite,
} from '#test/support/worker-site.ts'

let scene: WorkerSite
let site: TestSite
let origin: string
let ann: TestMember
let admin: TestMember
let folder: string
const clips = setUpFolder('clips')

beforeAll(async () => {
  await makeRecordings(clips, [1, 20])
})
beforeEach(async () => {
  scene = await openWorkerSite()
  ;({ site, origin, ann, admin, folder } = scene)
})
afterEach(() => scene.close())

test('a worker prepares videos for a site that prepares nothing itself', async () => {
  const videoId = await upload()
  const { id, token } = await addWorker(site, admin)
  const worker = start(token)
  await until(async () => (await listJobs()).filter(isDone).length === 2)
  expect(await listJobs()).toMatchObject([
    { kind: 'transcode', state: 'done', workerId: id, failures: 0 },
    { kind: 'ladder', state: 'done', workerId: id, failures: 0 },
  ])
  const video = await site.get(`/api/videos/${videoId}`)
  expect(video.json()).toMatchObject({ processingState: 'ready', width: 320, height: 180 })
  await until(async () => (await listWorkers())[0]?.jobsDone === 2)
  const [known] = await listWorkers()
  expect(known).toMatchObject({ id, name: 'gaming-pc', isHere: true, encoder: 'libx264' })
  expect(known).toMatchObject({ jobsDone: 2, jobsFailed: 0, jobsRunning: 0, lastError: null })
  expect(known).toMatchObject({ speeds: [{ kind: 'transcode' }, { kind: 'ladder' }] })
  expect(await worker.end('SIGTERM')).toBe(0)
  expect(await readdir(folder)).toEqual([])
})

longTest(
  'a worker that is killed gives its job back when its lease ends, and others go on',
  async () => {
    await upload(20)
    const dying = await addWorker(site, admin, 'dying')
    const first = start(dying.token)
    await untilWorking(first)
    await first.end('SIGKILL')
    const heir = await addWorker(site, admin, 'heir')
    start(heir.token)
    await until(async () => (await listJobs()).some(isDone))
    const [job] = await listJobs()
    expect(job).toMatchObject({ workerId: heir.id, attempt: 2, failures: 0, interruptions: 1 })
    const workers = await listWorkers()
    expect(workers.find(({ id }) => id === dying.id)?.lastError).toContain('stopped responding')
    // What the killed one left behind went with the start of the other.
    expect((await readdir(folder)).length).toBe(1)
  },
)

longTest('a worker that is sent to stop gives its job back at once', async () => {
  await upload(20)
  const { token } = await addWorker(site, admin)
  const worker = start(token)
  await untilWorking(worker)
  expect(await worker.end('SIGTERM')).toBe(0)
  expect(await listJobs()).toMatchObject([
    { state: 'queued', attempt: 1, interruptions: 0, failures: 0 },
  ])
  expect(await readdir(folder)).toEqual([])
})

longTest('a cancelled job ends on the worker, and is not its failure', async () => {
  const videoId = await upload(20)
  const { id, token } = await addWorker(site, admin)
  const worker = start(token)
  await untilWorking(worker)
  const url = '/trpc/video.cancelProcessing'
  await site.post(url, { as: ann, payload: { id: videoId } })
  await until(async () => (await listMediaProcesses(worker.pid)).length === 0)
  expect(await listJobs()).toMatchObject([{ state: 'failed' }])
  await until(() => /abandoned: This machine does not have that job/.test(worker.output()))
  expect(await listWorkers()).toMatchObject([{ id, jobsDone: 0, jobsFailed: 0, lastError: null }])
})

longTest('a worker whose token is ended loses its job, and stops with a sentence', async () => {
  await upload(20)
  const { id, token } = await addWorker(site, admin)
  const worker = start(token)
  await untilWorking(worker)
  await site.post('/trpc/worker.end', { as: admin, payload: { id } })
  expect(await worker.end()).toBe(1)
  expect(worker.output()).toContain('This is not the token of a worker, or it was ended.')
  expect(await listJobs()).toMatchObject([{ state: 'queued', workerId: null, failures: 0 }])
})

longTest('a drained worker finishes what it has and gets nothing more', async () => {
  await upload()
  const { id, token } = await addWorker(site, admin)
  await site.post('/trpc/worker.drain', { as: admin, payload: { id, drained: true } })
  const worker = asWorker({ origin, token })
  const refused = await worker.claim(AbortSignal.timeout(500)).catch(() => 'nothing')
  expect(refused).toBe('nothing')
  expect(await listJobs()).toMatchObject([{ state: 'queued', attempt: 0 }])
})

longTest('a site that starts again goes on waiting for what its workers have', async () => {
  await upload(20)
  const { token } = await addWorker(site, admin)
  const worker = start(token)
  await untilWorking(worker)
  const { port } = new URL(origin)
  const { dataFolder, config } = site
  await site.app.close()
  await site.deps.jobs.stop()
  expect(await listJobs()).toMatchObject([{ state: 'running', attempt: 1 }])
  const again = await openTestSite({ ...config, dataFolder }, { remoteLimits: { leaseMs: 20_000 } })
  onTestFinished(() => again.close())
  await again.app.listen({ host: '127.0.0.1', port: Number(port) })
  await again.deps.jobs.start()
  await until(async () => (await listJobs()).filter(isDone).length === 2)
  expect((await listJobs())[0]).toMatchObject({ attempt: 1, interruptions: 0, failures: 0 })
})

longTest(
  'a site that starts again waits for a silent worker no longer than the rest of its lease',
  async () => {
    await upload()
    const { token } = await addWorker(site, admin)
    await asWorker({ origin, token }).claim()
    const { dataFolder, config } = site
    await site.app.close()
    await site.deps.jobs.stop()
    // A node of several looks six times in a lease.
    const remoteLimits = { leaseMs: isOnPostgres ? 120_000 : 600_000, findAgainMs: 0 }
    const again = await openTestSite({ ...config, dataFolder }, { remoteLimits })
    onTestFinished(() => again.close())
    await again.deps.jobs.start()
    // Until then it counts as there.
    expect(again.deps.jobs.hasRunner({ kind: 'ladder', shortSide: 180 })).toBe(true)
    await until(async () => (await listJobs())[0]?.state === 'queued')
  },
)

test('a result that comes after the lease is refused', async () => {
  await upload()
  const { token } = await addWorker(site, admin)
  const worker = asWorker({ origin, token })
  const order = await worker.claim()
  await until(async () => (await listJobs())[0]?.state === 'queued')
  const late = await worker.finish(order, {})
  expect(late.status).toBe(409)
  expect(await late.text()).toMatch(/^This machine does not have that job any more: .*\.$/)
})

type Liar = [
  lie: string,
  reason: string,
  tell: (liar: WorkerClient, order: Order) => Promise<Response>,
]

const RESULT = { durationSeconds: 1, width: 320, height: 180, copied: false }

const LIARS: Liar[] = [
  [
    'HTML as MP4',
    'first.mp4 is no MP4 with a picture',
    async (liar, order) => {
      await liar.send(order, { name: 'first.mp4', bytes: Buffer.from('<html></html>') })
      return liar.finish(order, RESULT)
    },
  ],
  [
    'another length',
    'first.mp4 lasts 4.0 seconds, the recording 1.0',
    async (liar, order) => {
      await liar.send(order, { name: 'first.mp4', bytes: await clipOf(4) })
      return liar.finish(order, RESULT)
    },
  ],
  [
    'another size',
    'first.mp4 is 320x180, not 1920x1080',
    async (liar, order) => {
      await liar.send(order, { name: 'first.mp4', bytes: await clipOf(1) })
      return liar.finish(order, { ...RESULT, width: 1920, height: 1080 })
    },
  ],
  ['nothing at all', 'the video was not sent', (liar, order) => liar.finish(order, RESULT)],
  [
    'a file too many',
    'it sent a file that the work does not make, video.mp4',
    (liar, order) => liar.send(order, { name: 'video.mp4', bytes: Buffer.from('x') }),
  ],
  [
    'a path outside',
    'it sent a file that the work does not make, ../../clutch.db',
    (liar, order) => liar.send(order, { name: '..%2F..%2Fclutch.db', bytes: Buffer.from('x') }),
  ],
  [
    'no answer that one could read',
    'its answer is not well-formed',
    (liar, order) => liar.finish(order, { ...RESULT, durationSeconds: 'long' }),
  ],
]

test.each(quickCases(LIARS, ['another length', 'a path outside']))(
  'a worker that hands in %s changes nothing and is named',
  async (_, reason, tell) => {
    const videoId = await upload()
    const { id, token } = await addWorker(site, admin)
    const liar = asWorker({ origin, token })
    const answer = await tell(liar, await liar.claim())
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain(reason)
    await until(async () => (await listJobs())[0]?.state === 'queued')
    const video = await site.get(`/api/videos/${videoId}`, { as: ann })
    expect(video.json()).toMatchObject({ processingState: 'processing', videoUrl: null })
    expect(await site.db.selectFrom('mediaFiles').select('name').execute()).toEqual([
      { name: expect.stringMatching(/^poster-/) },
    ])
    const [known] = await listWorkers()
    expect(known).toMatchObject({ id, jobsDone: 0, jobsFailed: 1 })
    expect(known?.lastError).toBe(`Refused: ${reason}`)
  },
)

const upload = (seconds: 1 | 20 = 1) => scene.upload(join(clips, `${seconds}.avi`))
const start = (token: string) => scene.start(token)
const listJobs = () => scene.listJobs()
const listWorkers = () => scene.listWorkers()

/** Until its child has begun. */
async function untilWorking(worker: WorkerProcess): Promise<void> {
  await until(async () => (await listMediaProcesses(worker.pid)).length === 1)
}

async function clipOf(seconds: number): Promise<Buffer> {
  return readFile(await makeClip({ path: join(folder, `${seconds}.mp4`), seconds }))
}
