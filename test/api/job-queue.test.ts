import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/db/database.ts'
import { claimNextJob, listQueue } from '#server/job/job.queries.ts'
import { openTestSite, type TestMember, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ann: TestMember
let bob: TestMember

beforeAll(async () => {
  site = await openTestSite()
  ann = await site.addMember('ann')
  bob = await site.addMember('bob')
})
beforeEach(() => site.db.deleteFrom('videos').execute())
afterAll(() => site.close())

type NewJob = {
  kind?: 'transcode' | 'ladder'
  seconds?: number
  hoursAgo?: number
  state?: 'queued' | 'running'
}

/** Inserts a job for a 720p video of its own. @returns the job's id */
async function addJob(owner: TestMember, job: NewJob = {}): Promise<number> {
  const { kind = 'transcode', seconds = 60, hoursAgo = 0, state = 'queued' } = job
  const size = { width: 1280, height: 720 }
  const videoId = await site.addVideo(owner, { duration: seconds, ...size })
  const createdAt = timestamp(new Date(Date.now() - hoursAgo * 3_600_000))
  const { id } = await site.db
    .insertInto('jobs')
    .values({ kind, videoId, state, runAfter: createdAt, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('the quick go before the long', async () => {
  const long = await addJob(ann, { seconds: 600 })
  const quick = await addJob(bob, { seconds: 10 })
  const middle = await addJob(await site.addMember('carl'), { seconds: 60 })
  expect(await listQueue(site.db)).toEqual([quick, middle, long])
})

test('members take turns, however many videos one of them sends', async () => {
  const first = await addJob(ann, { seconds: 10 })
  const second = await addJob(ann, { seconds: 11 })
  const third = await addJob(ann, { seconds: 12 })
  const others = await addJob(bob, { seconds: 300 })
  expect(await listQueue(site.db)).toEqual([first, others, second, third])
})

test('a member whose work is running waits for the others', async () => {
  await addJob(ann, { state: 'running' })
  const more = await addJob(ann, { seconds: 10 })
  const others = await addJob(bob, { seconds: 300 })
  expect(await listQueue(site.db)).toEqual([others, more])
})

test('what makes a video playable goes before what makes it better, for an hour', async () => {
  const better = await addJob(ann, { kind: 'ladder', seconds: 5 })
  const playable = await addJob(bob, { seconds: 600 })
  const waited = await addJob(await site.addMember('dora'), { kind: 'ladder', hoursAgo: 2 })
  expect(await listQueue(site.db)).toEqual([waited, playable, better])
})

test('the job taken is the first in line that is due', async () => {
  const later = await addJob(ann, { seconds: 1 })
  const next = await addJob(bob, { seconds: 60 })
  await site.db
    .updateTable('jobs')
    .set({ runAfter: timestamp(new Date(Date.now() + 60_000)) })
    .where('id', '=', later)
    .execute()
  expect(await claimNextJob(site.db)).toMatchObject({ id: next, attempt: 1 })
  expect(await claimNextJob(site.db)).toBeUndefined()
})
