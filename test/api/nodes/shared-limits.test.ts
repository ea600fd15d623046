import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutcomeLimit } from '#server/platform/cluster/outcome-limit.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { createRateLimits, type RateLimits } from '#server/platform/request/rate-limits.ts'
import { createViewers, type Viewers } from '#server/video/view/viewers.ts'
import { MAX_BULK_VIDEOS } from '#shared/limits.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'

let url: string
let databases: Database[]
let nodes: [RateLimits, RateLimits]
beforeAll(async () => {
  url = await createMigratedDatabase()
  databases = [openPostgresDatabase(url), openPostgresDatabase(url)]
  const [one, other] = databases.map((db) => createRateLimits({ db, scale: 1 }))
  nodes = [one as RateLimits, other as RateLimits]
})
afterAll(async () => {
  await Promise.all(databases.map((db) => db.destroy()))
  await dropDatabase(url)
})

const TOO_MANY = { kind: 'too-many', retryAfterSeconds: expect.any(Number) }
const rowsOf = (key: string) =>
  databases[0]?.selectFrom('rateCounts').selectAll().where('key', '=', key).execute()
/** Acts at both nodes in turn. @returns how many were within the limit */
async function countWithin(count: number, act: (node: RateLimits) => Promise<boolean>) {
  const acts = Array.from({ length: count }, (_, at) => act(nodes[at % 2 ? 1 : 0]))
  return (await Promise.all(acts)).filter(Boolean).length
}
/** Tries something wrong. @returns whether it was tried */
const guess = async (limit: OutcomeLimit, key: string): Promise<boolean> => {
  const end = await limit.begin(key).catch(() => undefined)
  await end?.({ counts: true })
  return end !== undefined
}

test('an address has one limit at two nodes, whichever it asks', async () => {
  const allowed = await countWithin(90, ({ writes }) => writes.isWithin('member-1'))
  expect(allowed).toBe(30)
  for (const { writes } of nodes)
    await expect(writes.count('member-1')).rejects.toMatchObject(TOO_MANY)
  await nodes[0].writes.count('member-2')
})

test('a node uses up in memory what it has counted, and asks no more once the limit is reached', async () => {
  const allowed = await countWithin(400, ({ reads }) => reads.isWithin('198.51.100.1'))
  // Of the last portion of each.
  expect(allowed).toBeGreaterThanOrEqual(280)
  expect(allowed).toBeLessThanOrEqual(300)
  const [before] = (await rowsOf('reads 198.51.100.1')) ?? []
  for (let flood = 0; flood < 500; flood++) await nodes[0].reads.isWithin('198.51.100.1')
  expect(await rowsOf('reads 198.51.100.1')).toEqual([before])
  expect(before?.count).toBeLessThan(600)
})

test('one call that names many is refused whole, and leaves what is left to others of its node', async () => {
  const [{ bulkVideos }] = nodes
  await bulkVideos.count('member-1', 100)
  await bulkVideos.count('member-1', 100)
  await bulkVideos.count('member-1', 60)
  await expect(bulkVideos.count('member-1', 50)).rejects.toMatchObject(TOO_MANY)
  await bulkVideos.count('member-1', 40)
  await expect(bulkVideos.count('member-1')).rejects.toMatchObject(TOO_MANY)
})

/** A node takes so many of 300 from the database at once. */
const PORTION = 10

test('a window ends by the clock of the database, and the next one begins empty', async () => {
  // Its window is a minute, longer than this test takes on any machine.
  const [{ bulkVideos }] = nodes
  await countWithin(2 * 3 * MAX_BULK_VIDEOS, (node) => node.bulkVideos.isWithin('member-3'))
  const db = databases[0] as Database
  // As if it had been long ago: nodes that were not asked meanwhile know nothing of it.
  await sql`UPDATE "rateCounts" SET "endsAt" = "endsAt" - 100000 WHERE "key" = 'bulkVideos member-3'`.execute(
    db,
  )
  const late = createRateLimits({ db, scale: 1 })
  await late.bulkVideos.count('member-3')
  expect(await rowsOf('bulkVideos member-3')).toMatchObject([{ count: PORTION }])
  // A clock that was set back left a window longer than any is.
  await sql`UPDATE "rateCounts" SET "endsAt" = "endsAt" + 200000, "count" = 300 WHERE "key" = 'bulkVideos member-3'`.execute(
    db,
  )
  await createRateLimits({ db, scale: 1 }).bulkVideos.count('member-3')
  expect(await rowsOf('bulkVideos member-3')).toMatchObject([{ count: PORTION }])
  await expect(bulkVideos.count('member-3')).rejects.toMatchObject(TOO_MANY)
})

test('guesses at both nodes in parallel gain nothing', async () => {
  const tried = await countWithin(40, (node) => guess(node.loginFailuresByAccount, 'ann'))
  expect(tried).toBe(10)
  for (const { loginFailuresByAccount } of nodes) {
    await expect(loginFailuresByAccount.begin('ann')).rejects.toMatchObject(TOO_MANY)
  }
})

test('what does not count is given back, and is waited for at the other node too', async () => {
  const act = async ({ registrations }: RateLimits) => {
    const end = await registrations.begin('198.51.100.1')
    await pause(20)
    await end({ counts: false })
    return true
  }
  expect(await countWithin(40, act)).toBe(40)
  expect(await rowsOf('registrations 198.51.100.1')).toMatchObject([{ count: 0 }])
})

test('whoever reports to two nodes in turn is one viewer, whose seconds count once', async () => {
  let time = Date.now()
  const [one, other] = databases.map((db) => createViewers(db, () => time)) as [Viewers, Viewers]
  const followed: { passed: number; fresh: number }[] = []
  for (let report = 0; report < 5; report++) {
    const input = { subject: 'video 1', watchedSeconds: report * 5 }
    followed.push(await (report % 2 ? other : one).follow('visitor', input))
    time += 5000
  }
  expect(followed).toEqual([0, 5, 10, 15, 20].map((passed) => ({ passed, fresh: passed && 5 })))
  // A page that was opened again, at a node whose clock is late.
  time -= 7000
  const again = await other.follow('visitor', { subject: 'video 1', watchedSeconds: 3 })
  expect(again).toEqual({ passed: 20, fresh: 0 })
})
