import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { PROTOCOL } from '#server/video/worker/worker-protocol.ts'
import { startFaultProxy } from '#test/support/fault-proxy.ts'
import { longTest } from '#test/support/long-form.ts'
import { readRow } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { storedPath } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'
import { asWorker } from '#test/support/worker-client.ts'
import { addWorker } from '#test/support/worker-process.ts'
import { isDone, makeRecordings, openWorkerSite } from '#test/support/worker-site.ts'

const clips = setUpFolder('clips')

beforeAll(async () => {
  await makeRecordings(clips, [1, 60])
})

const recording = (seconds: 1 | 60) => join(clips, `${seconds}.avi`)

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

longTest('a report that is refused is dropped, and the work goes on', async () => {
  const { site, admin, origin, start, upload, listJobs } = await openScene({}, { leaseMs: 20_000 })
  const proxy = await openProxy(origin)
  proxy.fail(400, { of: /progress$/ })
  await upload(recording(60))
  const { token } = await addWorker(site, admin)
  const worker = start(token, { at: proxy.endpoint })
  await until(async () => (await listJobs())[0]?.state === 'done')
  expect(worker.output()).not.toContain('Trying again')
})

longTest(
  'a job whose files take longer to fetch from the store than a call waits reaches its worker',
  async () => {
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
  },
)

test('a job that nobody asks for once its files are there goes to others', async () => {
  const { site, admin, upload, origin, listJobs, listWorkers } = await openScene(
    {},
    { claimWaitMs: 0, leaseMs: 2000 },
  )
  const { token } = await addWorker(site, admin)
  await upload(recording(1))
  // A question that is over at once may come while the queue is read for another reason.
  await until(async () => {
    if ((await listJobs())[0]?.attempt === 1) return true
    await asWorker({ origin, token }).claim()
    return false
  })
  await until(async () => (await listJobs())[0]?.state === 'queued')
  expect(await listWorkers()).toMatchObject([{ jobsFailed: 0, lastError: null }])
})

test('a worker without room for a job says so, here and there, and others get the job', async () => {
  const { media } = readConfig({})
  const scene = await openScene({ media })
  const { site, admin, folder, start, upload, listJobs, listWorkers } = scene
  const videoId = await upload(recording(1))
  const { mediaKey } = await readRow(site.db, 'videos', { id: videoId })
  await truncate(storedPath(site, mediaKey, 'source'), 8e12)
  const full = await addWorker(site, admin, 'full')
  const worker = start(full.token)
  const reason = `There is no room in ${folder}: a job takes about 14901.2GB, and `
  await until(async () => (await listWorkers())[0]?.lastError?.startsWith(reason) ?? false)
  await until(() => worker.output().includes(`returned (${reason}`))
  expect(worker.output()).toContain('It pauses for 5 minutes.')
  expect(await listWorkers()).toMatchObject([{ jobsFailed: 0 }])
  expect(await listJobs()).toMatchObject([{ state: 'queued', failures: 0, interruptions: 0 }])
  const other = asWorker({ origin: scene.origin, token: full.token })
  const refused = await other.claim(AbortSignal.timeout(500)).catch(() => 'nothing')
  expect(refused).toBe('nothing')
  const { token } = await addWorker(site, admin, 'roomy')
  expect(await asWorker({ origin: scene.origin, token }).claim()).toMatchObject({ attempt: 2 })
})

test('a worker that ran out of memory is believed, and the desk says so', async () => {
  const { site, admin, origin, upload, listJobs, listWorkers } = await openScene()
  await upload(recording(1))
  const { token } = await addWorker(site, admin)
  const worker = asWorker({ origin, token })
  const { jobId, attempt } = await worker.claim()
  const diagnostics = 'Resident memory rose to 1000 MiB or more; the limit is 992 MiB.'
  await worker.ask(`jobs/${jobId}/${attempt}/failed`, { reason: 'out-of-memory', diagnostics })
  await until(async () => (await listJobs())[0]?.failures === 1)
  expect(await listJobs()).toMatchObject([{ error: 'This file needs too much memory to work on.' }])
  expect(await listWorkers()).toMatchObject([{ lastError: diagnostics }])
})

test('where there is no other, a worker is given a job again whose result was refused, until it failed', async () => {
  const { site, admin, origin, upload, listJobs, listWorkers } = await openScene(
    {},
    { avoidMs: 100 },
  )
  await upload(recording(1))
  const { token } = await addWorker(site, admin)
  const liar = asWorker({ origin, token })
  for (const attempt of [1, 2, 3]) {
    await site.db.updateTable('jobs').set({ runAfter: timestamp() }).execute()
    await until(async () => {
      const order = await liar.claim(AbortSignal.timeout(500)).catch(() => undefined)
      return order?.attempt === attempt && (await liar.finish(order, {})).status === 422
    })
    await until(async () => (await listJobs())[0]?.failures === attempt)
  }
  expect(await listJobs()).toMatchObject([{ state: 'failed' }])
  expect(await listWorkers()).toMatchObject([{ drainedAt: expect.any(String) }])
})

test('a job that no machine that is there takes says so to its owner and to admins', async () => {
  const { site, ann, admin, origin, upload, listJobs } = await openScene()
  const videoId = await upload(recording(1))
  const steps = async () => {
    const input = encodeURIComponent(JSON.stringify({ id: videoId }))
    const url = `/trpc/video.processingStatus?input=${input}`
    const status = await site.get(url, { as: ann })
    const list = await site.get('/trpc/job.list?input={}', { as: admin })
    return [status.json().result.data.step, list.json().result.data.items[0].step]
  }
  const nobody = ['no-machine', 'no-machine']
  expect(await steps()).toEqual(nobody)
  const { id, token } = await addWorker(site, admin)
  const claim = (abilities: object) =>
    asWorker({ origin, token })
      .claim(AbortSignal.timeout(300), abilities)
      .catch(() => {})
  await claim({ kinds: ['ladder'] })
  expect(await steps()).toEqual(nobody)
  await claim({ maxHeight: 90 })
  expect(await steps()).toEqual(nobody)
  // It takes such jobs, but not this one now.
  site.deps.remote.avoided.add(id, (await listJobs())[0]?.id ?? 0)
  await claim({})
  expect(await steps()).toEqual([null, null])
  const url = '/trpc/worker.drain'
  await site.post(url, { as: admin, payload: { id, drained: true } })
  expect(await steps()).toEqual(nobody)
  const ready = await site.get('/api/ready', { as: admin })
  expect(ready.statusCode).toBe(200)
})

test('a worker goes on after a proxy said once that there is nothing, and where the answer to its result was lost', async () => {
  const { site, admin, origin, start, upload, listJobs } = await openScene({}, { claimWaitMs: 100 })
  const proxy = await openProxy(origin)
  const { token } = await addWorker(site, admin)
  const worker = start(token, { at: proxy.endpoint })
  await until(() => proxy.seen.some((line) => line.endsWith('claim')))
  proxy.fail(404, { times: 1, of: /claim$/ })
  proxy.fail('lose', { times: 1, of: /done$/ })
  await until(() => worker.output().includes('The site answered 404. Trying again'))
  await upload(recording(1))
  await until(async () => (await listJobs()).filter(isDone).length === 2)
  await until(() => worker.output().split(': done (').length === 3)
  expect(worker.output()).not.toContain('abandoned')
})

test('a worker of another release is told which of the two is to be updated, and ends', async () => {
  const { site, admin, origin, start } = await openScene({}, { claimWaitMs: 100 })
  const { token } = await addWorker(site, admin)
  const claim = (protocol: number) => asWorker({ origin, token }).ask('claim', { protocol })
  const older = await claim(PROTOCOL - 1)
  expect([older.status, await older.text()]).toEqual([
    409,
    'This worker is older than the site. Update this worker.',
  ])
  const newer = await claim(PROTOCOL + 1)
  expect([newer.status, await newer.text()]).toEqual([
    409,
    'This worker is newer than the site. Update the site.',
  ])
  const proxy = await openProxy(origin)
  const worker = start(token, { at: proxy.endpoint })
  await until(() => proxy.seen.some((line) => line.endsWith('claim')))
  proxy.fail(409)
  expect(await worker.end()).toBe(1)
  const tooLate = start(token, { at: proxy.endpoint })
  expect(await tooLate.end()).toBe(1)
  expect(tooLate.output()).not.toContain('    at ')
})

test('a worker says at its terminal that it was drained, and when it is given jobs again', async () => {
  const { site, admin, start } = await openScene({}, { claimWaitMs: 100 })
  const { id, token } = await addWorker(site, admin)
  const worker = start(token)
  for (const [drained, sentence] of [
    [true, 'The site gives this worker no further jobs: it was drained in the desk'],
    [false, 'The site gives this worker jobs again.'],
  ]) {
    const url = '/trpc/worker.drain'
    await site.post(url, { as: admin, payload: { id, drained } })
    await until(() => worker.output().includes(String(sentence)))
  }
})

test.each([
  ['--token-file', 'The token cannot be read from /nope (ENOENT).\n'],
  ['--folder', 'There is no folder /nope.\n'],
])(
  'a worker that is called with %s of what is not there ends with a sentence',
  async (option, sentence) => {
    const args = ['http://127.0.0.1:9', '--token', 'x', option, '/nope']
    if (option === '--token-file') args.splice(1, 2)
    expect(await runCommand('worker', { dataFolder: clips, args })).toEqual({
      ...{ code: 1, out: '' },
      err: sentence,
    })
  },
)

test('the desk says which worker has a job, and what went wrong goes when it is given work again', async () => {
  const { site, admin, origin, upload, listWorkers } = await openScene()
  await upload(recording(1))
  const { id, token } = await addWorker(site, admin, 'gaming-pc')
  const worker = asWorker({ origin, token })
  const order = await worker.claim()
  const desk = async (url: string) => (await site.get(url, { as: admin })).json().result.data
  const [job] = (await desk('/trpc/job.list?input={}')).items
  expect(job).toMatchObject({ state: 'running', workerName: 'gaming-pc' })
  // The server itself encodes nothing of it.
  expect(await desk('/trpc/job.encoder')).toBe(null)
  await worker.finish(order, {})
  await until(async () => (await listWorkers())[0]?.lastError !== null)
  for (const drained of [true, false]) {
    const url = '/trpc/worker.drain'
    await site.post(url, { as: admin, payload: { id, drained } })
  }
  expect(await listWorkers()).toMatchObject([{ jobsFailed: 1, lastError: null }])
})
