import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { noteStorageOfDay } from '#server/desk/overview/overview.queries.ts'
import { insertJobLog } from '#server/video/job/job-log.queries.ts'
import { addView } from '#server/video/view/view.queries.ts'
import type { Overview } from '#shared/schemas/desk/overview.schemas.ts'
import type { Job, SiteCheck, StoredVideo } from '#shared/schemas/desk/storage.schemas.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { listStored, storeFiles } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann } = setUpFileMembers(site, ['ann'])

const { ask } = callsOf(site)
const overview = () => ask<Overview>(admin, 'overview.get')

/** A video whose ladder is done, with the file as it was uploaded beside it. */
async function addPrepared(input: { title: string; original: number; isDone?: boolean }) {
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  await storeFiles(site, mediaKey, {
    'video.mp4': 'x'.repeat(100),
    ...(input.original > 0 && { source: 'x'.repeat(input.original) }),
  })
  const url = (name: string) => `/media/${mediaKey}/${name}`
  const urls = { videoUrl: url('video.mp4'), hlsUrl: url('master.m3u8') }
  const bytes = { storageBytes: 100 + input.original }
  const id = await site.addVideo(ann, { title: input.title, mediaKey, ...urls, ...bytes })
  const file = { videoId: id, name: 'video.mp4', kind: 'video' as const, bytes: 100 }
  await site.db.insertInto('mediaFiles').values(file).execute()
  const now = new Date().toISOString()
  const job = { videoId: id, kind: 'ladder' as const, runAfter: now, createdAt: now }
  const state = input.isDone === false ? 'failed' : 'done'
  await addRows(site.db, 'jobs', { ...job, state })
  return { id, mediaKey }
}

test('the list of stored videos is made of rows: the store may be far away', async () => {
  const { id, mediaKey } = await addPrepared({ title: 'Far away', original: 900 })
  await storeFiles(site, mediaKey, { source: 'x' })
  const { items } = await ask<{ items: StoredVideo[] }>(admin, 'storage.videos', { q: 'Far away' })
  expect(items).toMatchObject([{ id, storageBytes: 1000, originalBytes: 900, canFree: true }])
  await ask(ann, 'video.delete', { id })
})

describe('the overview', () => {
  test('counts what there is, and what takes room, as it comes and goes', async () => {
    const before = await overview()
    expect(before).toMatchObject({ members: 2 })
    expect(before.storage.database).toBeGreaterThan(0)
    expect(before.storage.disk).toBeGreaterThan(before.storage.free)
    const { id } = await addPrepared({ title: 'Counted', original: 900 })
    const after = await overview()
    expect(after.videos).toBe(before.videos + 1)
    expect(after.storage.originals).toBe(before.storage.originals + 900)
    expect(after.storage.videos).toBe(before.storage.videos + 100)
    await ask(ann, 'video.delete', { id })
    expect((await overview()).storage).toMatchObject({ originals: 0, videos: 0 })
    const totals = await site.db.selectFrom('storageTotals').selectAll().execute()
    expect(totals.every(({ bytes }) => bytes === 0)).toBe(true)
    const member = site.db.selectFrom('users').select('storageBytes').where('id', '=', ann.id)
    expect(await member.executeTakeFirst()).toEqual({ storageBytes: 0 })
  })

  test('says what waits for an admin', async () => {
    await site.addVideo(ann, { contentApproved: 0 })
    await ask(ann, 'report.create', { channelId: admin.id, reason: 'Bossy' })
    expect(await overview()).toMatchObject({ approvals: 1, openReports: 1, heldComments: 0 })
  })

  test('sums the views of each day, without gaps, and keeps those of deleted videos', async () => {
    const videoId = await site.addVideo(ann)
    const other = await site.addVideo(ann)
    for (const viewed of [videoId, other, videoId]) {
      await site.db.transaction().execute((transaction) => addView(transaction, viewed))
    }
    await ask(ann, 'video.delete', { id: videoId })
    for (const days of [30, 90]) {
      const list = await ask<{ day: string; views: number }[]>(admin, 'overview.views', { days })
      expect(list).toHaveLength(days)
      expect(list.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), views: 3 })
      expect(list[0]?.views).toBe(0)
    }
    const wrong = { as: admin, name: 'overview.views', input: { days: 31 } }
    expect((await callProcedure(site, wrong)).statusCode).toBe(400)
  })

  test('forecasts from what the days before took', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000)
    for (const ago of [20, 10, 0]) {
      await sql`UPDATE "storageTotals" SET bytes = ${(30 - ago) * 1e12} WHERE kind = 'all'`.execute(
        site.db,
      )
      await noteStorageOfDay(site.db, day(ago))
    }
    expect((await overview()).forecast).toMatchObject({ kind: 'filling' })
    await sql`UPDATE "storageTotals" SET bytes = (SELECT sum("storageBytes") FROM videos) WHERE kind = 'all'`.execute(
      site.db,
    )
  })
})

describe('originals', () => {
  test('go only when all that was made of them is complete', async () => {
    const whole = await addPrepared({ title: 'Whole', original: 5000 })
    const broken = await addPrepared({ title: 'Broken', original: 4000, isDone: false })
    const list = async (input: object = {}) =>
      (await ask<{ items: StoredVideo[] }>(admin, 'storage.videos', input)).items
    expect(
      (await list({ limit: 2 })).map((one) => [one.title, one.originalBytes, one.canFree]),
    ).toEqual([
      ['Whole', 5000, true],
      ['Broken', 4000, false],
    ])
    expect(await list({ freeable: true })).toHaveLength(1)
    expect(await ask(admin, 'storage.freeable')).toEqual({ videos: 1, bytes: 5000 })
    expect(await ask(admin, 'storage.freeOriginal', { id: whole.id })).toEqual({ bytes: 5000 })
    expect(await listStored(site, whole.mediaKey)).toEqual(['video.mp4'])
    expect(await listStored(site, broken.mediaKey)).toEqual(['source', 'video.mp4'])
    expect(await list({ q: 'whole' })).toMatchObject([{ storageBytes: 100, canFree: false }])
    for (const { id } of [whole, broken]) {
      const again = { as: admin, name: 'storage.freeOriginal', input: { id } }
      expect((await callProcedure(site, again)).statusCode).toBe(409)
    }
  })

  test('go all at once, as far as they may', async () => {
    const some = [
      await addPrepared({ title: 'One', original: 300 }),
      await addPrepared({ title: 'Two', original: 200 }),
    ]
    expect(await ask(admin, 'storage.freeOriginals')).toEqual({
      videos: 2,
      bytes: 500,
      hasMore: false,
    })
    for (const { mediaKey } of some) expect(await listStored(site, mediaKey)).toEqual(['video.mp4'])
    expect(await ask(admin, 'storage.freeable')).toEqual({ videos: 0, bytes: 0 })
  })
})

describe('the queue', () => {
  test('is listed by state and name, with the last lines of each log', async () => {
    const { id } = await addPrepared({ title: 'Sad story', original: 0, isDone: false })
    const list = (input: object) => ask<{ items: Job[] }>(admin, 'job.list', input)
    const { items } = await list({ state: 'failed', q: 'sad' })
    expect(items).toMatchObject([{ kind: 'ladder', video: { id, title: 'Sad story' } }])
    const job = items[0] as Job
    for (let line = 1; line <= 35; line++) await insertJobLog(site.db, job.id, `Line ${line}`)
    const lines = await ask<{ text: string }[]>(admin, 'job.log', { id: job.id })
    expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([30, 'Line 6', 'Line 35'])
    await ask(admin, 'video.retryProcessing', { id })
    expect((await list({ state: 'queued' })).items).toMatchObject([{ id: job.id }])
    await ask(admin, 'video.cancelProcessing', { id })
    expect((await list({ state: 'failed', q: 'sad' })).items).toHaveLength(1)
    const log = await ask<{ items: { action: string }[] }>(admin, 'audit.list', { limit: 2 })
    expect(log.items.map(({ action }) => action)).toEqual(['video.cancel-work', 'video.retry-work'])
  })
})

describe('a check of the files', () => {
  test.skipIf(isOnPostgres)('runs beside the server and keeps what it found', async () => {
    await storeFiles(site, 'orphan', { 'video.mp4': 'nobody has it' })
    const begun = await ask<SiteCheck>(admin, 'storage.startCheck')
    expect(begun.state).toBe('running')
    const again = { as: admin, name: 'storage.startCheck' }
    expect((await callProcedure(site, again)).statusCode).toBe(409)
    const result = () => ask<SiteCheck>(admin, 'storage.check')
    await until(async () => (await result()).state !== 'running')
    const { state, problems, problemCount, percent } = await result()
    expect({ state, percent }).toEqual({ state: 'done', percent: 100 })
    expect(problemCount).toBe(problems.length)
    expect(problems).toContainEqual({ kind: 'orphaned', text: 'media/orphan' })
  })
})
