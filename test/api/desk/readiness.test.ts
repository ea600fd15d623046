import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Waiting } from '#shared/schemas/desk/overview.schemas.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { storedRoot } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { mountSmallDisk } from '#test/torture/support/small-disk.ts'

const GENERAL = 'The site cannot do all of its work right now. Please try again in a moment.'

let site: TestSite
let admin: TestMember
let log = ''
beforeAll(async () => {
  const stream = new PassThrough()
  stream.on('data', (data) => {
    log += data
  })
  site = await openTestSite({}, { logger: { level: 'info', stream } })
  admin = await site.addMember('admin', { isAdmin: true })
})
afterAll(() => site.close())

const ask = (as?: TestMember, of = site) => of.get('/api/ready', { ...(as && { as }) })

/** An answer holds for a second. */
const expectReady = async () => expect.poll(async () => (await ask()).body).toBe('ok')
const expectReason = async (reason: string | RegExp) => {
  await expect.poll(async () => (await ask(admin)).body, { timeout: 10_000 }).toMatch(reason)
}

test('a site whose queue is not at work is not ready, and says why to admins alone', async () => {
  const member = await site.addMember('member')
  for (const as of [undefined, member]) {
    const answer = await ask(as)
    expect([answer.statusCode, answer.body]).toEqual([503, GENERAL])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '5',
    })
  }
  const told = await ask(admin)
  expect([told.statusCode, told.body]).toEqual([503, 'The job queue has not been started.'])
  // What is away for all nodes alike must not have a load balancer send nobody anywhere.
  const askParts = (parts: string) => site.get(`/api/ready?parts=${parts}`, { as: admin })
  expect((await askParts('database,disk')).body).toBe('ok')
  expect((await askParts('jobs')).body).toBe('The job queue has not been started.')
  const wrong = await askParts('database,weather')
  expect([wrong.statusCode, wrong.body]).toEqual([
    400,
    'parts must be some of database, disk, store, jobs, with commas between.',
  ])
  await site.deps.jobs.start()
  await expectReady()
  expect((await ask()).statusCode).toBe(200)
  // Asked four times and more, said once.
  expect(log.match(/"reasons":.*"msg":"not ready"/g)).toHaveLength(1)
  expect(log).toContain('"msg":"ready again"')
})

test('it is not ready while a folder cannot be written to', async () => {
  const folder = storedRoot(site)
  await rename(folder, `${folder}-elsewhere`)
  await expectReason(/^DATA_DIR\/media cannot be written to: ENOENT\.$/)
  await rename(`${folder}-elsewhere`, folder)
  await expectReady()
})

test('it is not ready while a job waits that nobody takes', async () => {
  const since = new Date(Date.now() - 3 * 60_000).toISOString()
  const videoId = await site.addVideo(admin)
  // Nobody wakes the queue, which sleeps as there was nothing to do.
  await addRows(site.db, 'jobs', {
    kind: 'ladder',
    videoId,
    state: 'queued',
    runAfter: since,
    createdAt: since,
  })
  await expectReason(`A job waits since ${since}, but none is being done.`)
  await site.db.deleteFrom('jobs').execute()
  await expectReady()
})

test('it is not ready while the database cannot be read', async () => {
  await sql`ALTER TABLE "jobs" RENAME TO "elsewhere"`.execute(site.db)
  await expectReason(
    /^The database cannot be read: (no such table: jobs|relation "jobs" does not exist)\.$/,
  )
  await sql`ALTER TABLE "elsewhere" RENAME TO "jobs"`.execute(site.db)
  await expectReady()
})

test('a full disk makes it unready, and room makes it ready again', async ({ skip }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-ready-'))
  const disk = await mountSmallDisk(join(folder, 'disk'), 96).catch(() => undefined)
  if (!disk) return skip('This account may not mount a small file system.')
  const small = await openTestSite({ dataFolder: join(disk.folder, 'data') })
  try {
    await small.deps.jobs.start()
    const boss = await small.addMember('boss', { isAdmin: true })
    const isToldFull = async () =>
      (await answerOf<Waiting>(small, { as: boss, name: 'overview.waiting' })).isDiskFull
    expect(await isToldFull()).toBe(false)
    const poll = () => expect.poll(async () => (await ask(undefined, small)).body)
    await poll().toBe('ok')
    await disk.fill(16 * 1024 * 1024)
    await poll().toBe(GENERAL)
    expect(await isToldFull()).toBe(true)
    await disk.clear()
    await poll().toBe('ok')
  } finally {
    await small.close()
    await disk.unmount()
    await rm(folder, { recursive: true, force: true })
  }
})
