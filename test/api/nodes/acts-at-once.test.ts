import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { endExpiredVideos } from '#server/video/expiry/expiry.service.ts'
import { callProcedure } from '#test/support/procedure-call.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'

const DAY_MS = 86_400_000

let nodes: TestNodes
let sites: TestSite[]
let admins: TestMember[]
let ann: TestMember
let bob: TestMember
beforeAll(async () => {
  nodes = await openTestNodes({ processingJobs: 0 })
  sites = [nodes.one, nodes.other]
  admins = [
    await nodes.one.addMember('eve', { isAdmin: true }),
    await nodes.one.addMember('fay', { isAdmin: true }),
  ]
  ann = await nodes.one.addMember('ann')
  bob = await nodes.one.addMember('bob')
})
afterAll(() => nodes.close())

/** Has an admin at each node do something at the same moment. @returns the statuses */
async function actAtOnce(name: string, input: object): Promise<number[]> {
  const acts = sites.map((site, at) => callProcedure(site, { as: admins[at], name, input }))
  return (await Promise.all(acts)).map(({ statusCode }) => statusCode).sort()
}

/** What the log says was done with a video. */
async function listActs(id: number): Promise<string[]> {
  const query = nodes.one.db.selectFrom('auditLog').select('action').orderBy('id')
  const acts = query.where('targetKind', '=', 'video').where('targetId', '=', id)
  return (await acts.execute()).map(({ action }) => action)
}

/** Titles of what somebody was told. */
async function listNotices(userId: number): Promise<string[]> {
  const query = nodes.one.db.selectFrom('notifications').select('title')
  const rows = await query.where('userId', '=', userId).orderBy('id').execute()
  return rows.map(({ title }) => title)
}

test('an owner hears once that a video will go, though two nodes look at once', async () => {
  const expiresAt = timestamp(new Date(Date.now() + 3 * DAY_MS))
  for (let at = 0; at < 10; at++) {
    await nodes.one.addVideo(ann, { expiresAt, expiryAction: 'delete' })
  }
  await Promise.all(sites.map(({ deps }) => endExpiredVideos(deps)))
  expect(await listNotices(ann.id)).toHaveLength(10)
})

test('of two admins who hide a video at two nodes, or show it again, one does it', async () => {
  const id = await nodes.one.addVideo(bob)
  expect(await actAtOnce('moderation.hideVideo', { id, reason: 'Not ours' })).toEqual([200, 409])
  expect(await listNotices(bob.id)).toEqual(['Your video was hidden'])
  expect(await actAtOnce('moderation.unhideVideo', { id })).toEqual([200, 409])
  expect(await listNotices(bob.id)).toEqual(['Your video was hidden', 'Your video is shown again'])
  expect(await listActs(id)).toEqual(['video.hide', 'video.unhide'])
})
