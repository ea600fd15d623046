import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { type ClaimedJob, updateClaimedJob } from '#server/video/job/job.queries.ts'
import { claimNextJob } from '#server/video/job/job-queue.queries.ts'
import { longTest } from '#test/support/long-form.ts'
import { addRow } from '#test/support/rows.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { isDone, makeRecordings } from '#test/support/worker-site.ts'

/** Nobody who only looks at leases finds anything within a test. */
const LONG_LEASE = { leaseMs: 600_000 }
const SHORT_LEASE = { leaseMs: 1500 }

const clips = setUpFolder('clips')
let nodes: TestNodes
let one: TestSite
let other: TestSite
let ann: TestMember

beforeAll(async () => {
  await makeRecordings(clips, [1, 20])
})
beforeEach(async ({ task }) => {
  nodes = await openTestNodes({}, task.name.includes('gone') ? SHORT_LEASE : LONG_LEASE)
  ;({ one, other } = nodes)
  ann = await one.addMember('ann')
})
afterEach(() => nodes.close())

async function upload(site: TestSite, seconds: 1 | 20): Promise<number> {
  const path = join(clips, `${seconds}.avi`)
  const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.avi' })
  return (await complete({ site, as: ann }, { uploadId })).json().videoId
}

async function addJobs(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at++) {
    const videoId = await one.addVideo(ann, { duration: 60, processingState: 'processing' })
    const now = timestamp()
    const id = await addRow(one.db, 'jobs', {
      kind: 'transcode',
      videoId,
      state: 'queued',
      runAfter: now,
      createdAt: now,
    })
    ids.push(id)
  }
  return ids
}

const claimFor = (db: Database, nodeId: string, leaseMs: number) =>
  claimNextJob(db, undefined, () => ({ workerId: null, nodeId, leaseMs }))

test('forty jobs are each taken once by four runners at two nodes', async () => {
  const ids = await addJobs(40)
  const taken: ClaimedJob[] = []
  const take = async ({ db }: TestSite, nodeId: string) => {
    for (;;) {
      const job = await claimFor(db, nodeId, 60_000)
      if (!job) return
      taken.push(job)
      expect(await updateClaimedJob(db, { job, change: { state: 'done' } })).toBe(true)
    }
  }
  await Promise.all([take(one, 'a'), take(one, 'a'), take(other, 'b'), take(other, 'b')])
  expect(taken.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
  expect(new Set((await nodes.listJobs()).map(({ attempt }) => attempt))).toEqual(new Set([1]))
})

test('a job that is added at one node is done by another that has room for it', async () => {
  await other.deps.jobs.start()
  await upload(one, 1)
  await until(async () => (await nodes.listJobs()).filter(isDone).length === 2)
  expect(await nodes.listJobs()).toMatchObject([{ attempt: 1 }, { attempt: 1 }])
})

test('what another node does is left to it while its lease goes on', async () => {
  await addJobs(1)
  await claimFor(one.db, 'another', 60_000)
  await other.deps.jobs.start()
  expect(await nodes.listJobs()).toMatchObject([{ state: 'running', nodeId: 'another' }])
})

test('two nodes that find the job of one that is gone count one interruption', async () => {
  await addJobs(1)
  const job = await claimFor(one.db, 'gone', -1)
  // Its video is deleted by then: whoever takes the job has nothing to do.
  await one.db.updateTable('videos').set({ processingState: 'deleting' }).execute()
  await Promise.all([one.deps.jobs.start(), other.deps.jobs.start()])
  await until(async () => (await nodes.listJobs()).every(isDone))
  expect(await nodes.listJobs()).toMatchObject([{ attempt: 2, interruptions: 1, failures: 0 }])
  // What the one that is gone says after all counts no more.
  if (!job) throw new Error('There is no job.')
  expect(await updateClaimedJob(one.db, { job, change: { state: 'failed' } })).toBe(false)
})

longTest(
  'a node that is cut off from the database ends its work, which another does: it is gone',
  async () => {
    const cut = await nodes.open()
    await cut.deps.jobs.start()
    await upload(one, 20)
    await until(async () => (await nodes.listJobs())[0]?.state === 'running')
    await other.deps.jobs.start()
    await cut.db.destroy()
    await until(() => cut.deps.jobs.countRunning() === 0)
    await until(async () => (await nodes.listJobs()).filter(isDone).length === 2)
    expect(await nodes.listJobs()).toMatchObject([
      { attempt: 2, interruptions: 1, failures: 0 },
      { attempt: 1 },
    ])
  },
)

test('work that is cancelled at one node ends at the other', async () => {
  await other.deps.jobs.start()
  const id = await upload(one, 20)
  await until(async () => (await nodes.listJobs())[0]?.state === 'running')
  expect(other.deps.jobs.countRunning()).toBe(1)
  const url = '/trpc/video.cancelProcessing'
  await one.post(url, { as: ann, payload: { id } })
  await until(() => other.deps.jobs.countRunning() === 0)
  expect(await nodes.listJobs()).toMatchObject([{ state: 'failed', attempt: 1 }])
})

test('a node that stops gives its jobs to the others at once', async () => {
  await other.deps.jobs.start()
  await upload(one, 20)
  await until(async () => (await nodes.listJobs())[0]?.state === 'running')
  await one.deps.jobs.start()
  await other.deps.jobs.stop()
  await until(async () => (await nodes.listJobs()).filter(isDone).length === 2)
  expect((await nodes.listJobs())[0]).toMatchObject({ attempt: 2, interruptions: 1 })
})
