import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { startFaultProxy } from '#test/support/fault-proxy.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { until } from '#test/support/until.ts'
import { asWorker } from '#test/support/worker-client.ts'
import { addWorker } from '#test/support/worker-process.ts'
import { isDone, makeRecordings, openWorkerSite } from '#test/support/worker-site.ts'

let clips: string

beforeAll(async () => {
  clips = await mkdtemp(join(tmpdir(), 'clutch-clips-'))
  await makeRecordings(clips, [1, 20])
})
afterAll(() => rm(clips, { recursive: true, force: true }))

const recording = (seconds: 1 | 20) => join(clips, `${seconds}.avi`)

async function openScene(...input: Parameters<typeof openWorkerSite>) {
  const scene = await openWorkerSite(...input)
  onTestFinished(() => scene.close())
  return scene
}

async function openProxy(origin: string) {
  const proxy = await startFaultProxy(origin)
  onTestFinished(() => proxy.stop())
  return proxy
}

test('a report that is refused is dropped, and the next one says how far the work is by then', async () => {
  const { site, admin, origin, start, upload, listJobs } = await openScene()
  const proxy = await openProxy(origin)
  proxy.fail(400, { times: 1, of: /progress$/ })
  await upload(recording(20))
  const { token } = await addWorker(site, admin)
  const worker = start(token, { at: proxy.endpoint })
  await until(async () => (await listJobs()).some(isDone))
  expect((await listJobs())[0]).toMatchObject({ step: 'encoding', failures: 0 })
  expect(worker.output()).not.toContain('Trying again')
})

test('a job whose files take longer to fetch from the store than a call waits reaches its worker', async () => {
  const server = await startS3Server()
  onTestFinished(() => server.stop())
  const slow = await openProxy(server.endpoint)
  const variables = server.mediaVariables('slow', slow.endpoint)
  const { media } = readConfig({ ...variables, MEDIA_CACHE_BYTES: '0' })
  const { site, admin, start, upload, listJobs } = await openScene(
    { media },
    { claimWaitMs: 100, leaseMs: 20_000 },
  )
  await upload(recording(1))
  slow.delay(300)
  const { token } = await addWorker(site, admin)
  start(token)
  await until(async () => (await listJobs()).filter(isDone).length === 2)
  expect(await listJobs()).toMatchObject([{ attempt: 1 }, { attempt: 1 }])
})

test('a job that nobody asks for once its files are there goes to others', async () => {
  const { site, admin, upload, origin, listJobs, listWorkers } = await openScene(
    {},
    { claimWaitMs: 0, leaseMs: 200 },
  )
  const { token } = await addWorker(site, admin)
  await upload(recording(1))
  await asWorker({ origin, token }).claim()
  await until(async () => (await listJobs())[0]?.attempt === 1)
  await until(async () => (await listJobs())[0]?.state === 'queued')
  expect(await listWorkers()).toMatchObject([{ jobsFailed: 0, lastError: null }])
})
