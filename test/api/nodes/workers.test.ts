import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startBalancer } from '#test/support/balancer.ts'
import { longTest } from '#test/support/long-form.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { asWorker } from '#test/support/worker-client.ts'
import { addWorker, startWorker, type WorkerProcess } from '#test/support/worker-process.ts'
import { isDone, makeRecordings } from '#test/support/worker-site.ts'

const clips = setUpFolder('clips')
let nodes: TestNodes
let sites: TestSite[]
let origins: string[]
let proxy: Awaited<ReturnType<typeof startBalancer>>
let ann: TestMember
let admin: TestMember
let worker: WorkerProcess | undefined

beforeAll(async () => {
  await makeRecordings(clips, [1, 20])
})
beforeEach(async ({ task }) => {
  const leaseMs = task.name.includes('dies') ? 2000 : 600_000
  nodes = await openTestNodes({ processingJobs: 0 }, { leaseMs })
  sites = [nodes.one, nodes.other]
  ann = await nodes.one.addMember('ann')
  admin = await nodes.one.addMember('ada', { isAdmin: true })
  origins = []
  for (const site of sites) {
    origins.push(await site.app.listen({ host: '127.0.0.1', port: 0 }))
    await site.deps.jobs.start()
  }
  proxy = await startBalancer(origins)
})
afterEach(async () => {
  await worker?.end('SIGKILL')
  worker = undefined
  await proxy.stop()
  await nodes.close()
})

async function upload(seconds: 1 | 20): Promise<void> {
  const path = join(clips, `${seconds}.avi`)
  const [site] = sites as [TestSite]
  const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.avi' })
  await complete({ site, as: ann }, { uploadId })
}

async function startOne(): Promise<WorkerProcess> {
  const { token } = await addWorker(nodes.one, admin)
  worker = startWorker({ origin: proxy.origin, token, args: ['--folder', clips] })
  return worker
}

/** Until a worker does the first job. @returns which of the nodes gave it to it, and the other */
async function findGiver(pid: number): Promise<[giver: number, other: number]> {
  await until(async () => (await listMediaProcesses(pid)).length === 1)
  const at = sites.findIndex((site) => site.deps.remote.held.size > 0)
  return [at, 1 - at]
}

test('a worker works for nodes that take turns to answer it', async () => {
  await upload(1)
  const { output } = await startOne()
  await until(async () => (await nodes.listJobs()).filter(isDone).length === 2)
  expect(await nodes.listJobs()).toMatchObject([
    { attempt: 1, failures: 0, interruptions: 0 },
    { attempt: 1, failures: 0, interruptions: 0 },
  ])
  expect(output()).not.toContain('cannot be reached')
})

longTest('a worker hands its work in to another node when the one that gave it dies', async () => {
  await upload(20)
  const { pid } = await startOne()
  const [giver, other] = await findGiver(pid)
  proxy.leadTo([origins[other] ?? ''])
  // It hears no more of the database, and the worker no more of it.
  await sites[giver]?.db.destroy()
  await until(async () => (await nodes.listJobs()).some(isDone))
  const [job] = await nodes.listJobs()
  expect(job).toMatchObject({ state: 'done', attempt: 1, failures: 0, interruptions: 0 })
})

longTest(
  'a worker hands its work in to another node at once when the one that gave it stops',
  async () => {
    await upload(20)
    const { pid } = await startOne()
    const [giver, other] = await findGiver(pid)
    proxy.leadTo([origins[other] ?? ''])
    await sites[giver]?.deps.jobs.stop()
    await until(async () => (await nodes.listJobs()).some(isDone))
    expect((await nodes.listJobs())[0]).toMatchObject({ attempt: 1, failures: 0, interruptions: 0 })
  },
)

test('a node that does not have a worker’s job asks it to try again on another connection', async () => {
  await upload(1)
  const { token } = await addWorker(nodes.one, admin)
  const [at, away] = [0, 1].map((place) => asWorker({ origin: origins[place] ?? '', token }))
  const order = await at?.claim()
  const path = `jobs/${order?.jobId}/${order?.attempt}/progress`
  const refused = await away?.ask(path, {})
  expect(refused?.status).toBe(503)
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(refused?.headers.get('connection')).toBe('close')
  expect((await at?.ask(path, {}))?.status).toBe(200)
  // Of a job that it was never given it hears so from both.
  const unknown = { jobId: Number(order?.jobId), attempt: 7 }
  expect((await away?.finish(unknown, {}))?.status).toBe(409)
})

test('a worker that is ended at one node loses its job at the other, and gets no other one there', async () => {
  const { id, token } = await addWorker(nodes.one, admin)
  const waiting = asWorker({ origin: origins[1] ?? '', token })
  await upload(1)
  const order = await waiting.claim()
  const second = waiting.claim().catch(() => undefined)
  await nodes.one.post('/trpc/worker.end', { as: admin, payload: { id } })
  await until(() => nodes.other.deps.remote.held.size === 0)
  await until(async () => (await nodes.listJobs())[0]?.state === 'queued')
  expect((await nodes.listJobs())[0]).toMatchObject({ id: order.jobId, failures: 0 })
  nodes.other.stopWork()
  await second
})

test('a node says that a job waits for a machine only where no node hears of one', async () => {
  const job = { kind: 'ladder', shortSide: 180 } as const
  expect(sites.map(({ deps }) => deps.jobs.hasRunner(job))).toEqual([false, false])
  const { token } = await addWorker(nodes.one, admin)
  const claim = asWorker({ origin: origins[1] ?? '', token })
    .claim()
    .catch(() => undefined)
  await until(() => nodes.other.deps.jobs.hasRunner(job))
  const late = await nodes.open()
  await late.deps.jobs.start()
  expect(late.deps.jobs.hasRunner(job)).toBe(true)
  nodes.other.stopWork()
  await claim
})
