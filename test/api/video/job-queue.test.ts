import { beforeEach, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { updateClaimedJob } from '#server/video/job/job.queries.ts'
import { JOB_KINDS } from '#server/video/job/job-kinds.ts'
import { claimNextJob, listQueue } from '#server/video/job/job-queue.queries.ts'
import { chooseRunner, type JobRunner, speedKey } from '#server/video/job/job-runner.ts'
import { addRow, changeRows } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

const site = setUpTestSite()
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])

beforeEach(() => site.db.deleteFrom('videos').execute())

type NewJob = {
  kind?: 'transcode' | 'ladder' | 'montage'
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
  const id = await addRow(site.db, 'jobs', { kind, videoId, state, runAfter: createdAt, createdAt })
  return id
}

test('the quick go before the long', async () => {
  const long = await addJob(ann, { seconds: 600 })
  const quick = await addJob(bob, { seconds: 10 })
  const middle = await addJob(await site.addMember('carl'), { seconds: 60 })
  expect(await listQueue(site.db)).toEqual([quick, middle, long])
})

test('a montage waits for all others, for a day at most', async () => {
  const idle = await addJob(ann, { kind: 'montage', seconds: 5, hoursAgo: 2 })
  const ladder = await addJob(bob, { kind: 'ladder', seconds: 600 })
  const quick = await addJob(bob, { seconds: 600 })
  expect(await listQueue(site.db)).toEqual([quick, ladder, idle])
  const patient = await addJob(bob, { kind: 'montage', hoursAgo: 25 })
  expect((await listQueue(site.db))[0]).toBe(patient)
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

/** Takes and finishes jobs one after the other until none is left. @returns their ids */
async function workOneByOne(): Promise<number[]> {
  const taken: number[] = []
  for (;;) {
    const [next] = await listQueue(site.db)
    const job = await claimNextJob(site.db)
    expect(job?.id).toBe(next)
    if (!job) return taken
    taken.push(job.id)
    await updateClaimedJob(site.db, { job, change: { state: 'done' } })
    // Two that are taken in the same millisecond are served alike.
    const now = timestamp()
    await until(() => timestamp() > now)
  }
}

test('members take turns when one job is done after the other, as the queue says', async () => {
  const anns: number[] = []
  for (const seconds of [10, 11, 12, 13]) anns.push(await addJob(ann, { seconds }))
  const bobs = [await addJob(bob, { seconds: 300 }), await addJob(bob, { seconds: 600 })]
  const queued = await listQueue(site.db)
  expect(queued).toEqual([anns[0], bobs[0], anns[1], bobs[1], anns[2], anns[3]])
  expect(await workOneByOne()).toEqual(queued)
})

test('the positions shown while a job runs are those of the turns to come', async () => {
  await addJob(ann, { seconds: 10 })
  const running = await claimNextJob(site.db)
  const anns = [await addJob(ann, { seconds: 20 }), await addJob(ann, { seconds: 30 })]
  const bobs = [await addJob(bob, { seconds: 5 }), await addJob(bob, { seconds: 6 })]
  const queued = await listQueue(site.db)
  expect(queued).toEqual([bobs[0], anns[0], bobs[1], anns[1]])
  if (running) await updateClaimedJob(site.db, { job: running, change: { state: 'done' } })
  expect(await workOneByOne()).toEqual(queued)
})

test('who was last served waits for who was served before, however quick the work', async () => {
  for (const owner of [bob, ann]) {
    await addJob(owner)
    await workOneByOne()
  }
  const quick = await addJob(ann, { seconds: 1 })
  const long = await addJob(bob, { seconds: 600 })
  const first = await addJob(await site.addMember('newcomer'), { seconds: 900 })
  expect(await listQueue(site.db)).toEqual([first, long, quick])
})

test('who was served by a clock that has been set back does not wait for it', async () => {
  const done = await addJob(ann)
  await workOneByOne()
  const startedAt = timestamp(new Date(Date.now() + 3_600_000))
  await site.db.updateTable('jobs').set({ startedAt }).where('id', '=', done).execute()
  const quick = await addJob(ann, { seconds: 1 })
  const long = await addJob(bob, { seconds: 600 })
  expect(await listQueue(site.db)).toEqual([quick, long])
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
  await changeRows(site.db, 'jobs', {
    where: { id: later },
    values: { runAfter: timestamp(new Date(Date.now() + 60_000)) },
  })
  expect(await claimNextJob(site.db)).toMatchObject({ id: next, attempt: 1 })
  expect(await claimNextJob(site.db)).toBeUndefined()
})

test('a worker gets the next job that it can do', async () => {
  const first = await addJob(ann)
  const second = await addJob(bob)
  const able = { kinds: JOB_KINDS, maxHeight: 4320, avoids: new Set<number>() }
  expect(await claimNextJob(site.db, [{ ...able, kinds: [] }])).toBeUndefined()
  expect(await claimNextJob(site.db, [{ ...able, avoids: new Set([first, second]) }])).toBe(
    undefined,
  )
  const small = { ...able, maxHeight: 100 }
  await site.db.updateTable('videos').set({ width: 1920, height: 1080 }).execute()
  expect(await claimNextJob(site.db, [small])).toBeUndefined()
  expect(await claimNextJob(site.db, [small, { ...able, avoids: new Set([first]) }])).toMatchObject(
    { id: second },
  )
})

test('of those who are free the fastest at a kind gets the job, and who never did it is tried first', () => {
  const runner = (workerId: number | null): JobRunner => ({
    ...{ name: `${workerId}`, workerId, kinds: JOB_KINDS, maxHeight: 1080, avoids: new Set() },
    ...{ encoder: 'libx264', end: async () => {} },
    begin: () => {
      throw new Error('It is not begun.')
    },
  })
  const runners = [runner(null), runner(1), runner(2)]
  const job = { id: 1, kind: 'ladder', shortSide: 1080 } as const
  const speeds = new Map([
    [speedKey(null, 'ladder'), 1],
    [speedKey(1, 'ladder'), 4],
    [speedKey(2, 'ladder'), 2],
    [speedKey(2, 'transcode'), 9],
  ])
  expect(chooseRunner(runners, { job, speeds })?.workerId).toBe(1)
  speeds.delete(speedKey(2, 'ladder'))
  expect(chooseRunner(runners, { job, speeds })?.workerId).toBe(2)
  expect(chooseRunner(runners, { job: { ...job, shortSide: 2160 }, speeds })).toBeUndefined()
})
