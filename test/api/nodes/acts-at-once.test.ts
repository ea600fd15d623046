import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { endExpiredVideos } from '#server/video/expiry/expiry.service.ts'
import { callProcedure } from '#test/support/procedure-call.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'
import { initialize } from '#test/support/upload-client.ts'

const DAY_MS = 86_400_000
const MB = 1024 * 1024

let nodes: TestNodes
let sites: TestSite[]
let admins: TestMember[]
let ann: TestMember
let bob: TestMember
let cid: TestMember
beforeAll(async () => {
  nodes = await openTestNodes({ processingJobs: 0 })
  sites = [nodes.one, nodes.other]
  admins = [
    await nodes.one.addMember('eve', { isAdmin: true }),
    await nodes.one.addMember('fay', { isAdmin: true }),
  ]
  ann = await nodes.one.addMember('ann')
  bob = await nodes.one.addMember('bob')
  cid = await nodes.one.addMember('cid')
})
afterAll(() => nodes.close())

/** Has an admin at each node do something at the same moment. @returns the statuses */
async function actAtOnce(name: string, input: object): Promise<number[]> {
  const acts = sites.map((site, at) => callProcedure(site, { as: admins[at], name, input }))
  return (await Promise.all(acts)).map(({ statusCode }) => statusCode).sort()
}

/** Has somebody open an upload of 8 MB at each node at the same moment. @returns the statuses */
async function uploadAtOnce(members: TestMember[]): Promise<number[]> {
  const opened = sites.map((site, at) => {
    const as = members[at] as TestMember
    return initialize({ site, as }, { size: 8 * MB })
  })
  return (await Promise.all(opened)).map(({ statusCode }) => statusCode).sort()
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

test('of two uploads at two nodes that do not both fit into a quota, one is opened', async () => {
  const quota = nodes.one.db.updateTable('users').set({ quotaBytes: 10 * MB })
  await quota.where('id', '=', ann.id).execute()
  expect(await uploadAtOnce([ann, ann])).toEqual([201, 413])
  const folders = await Promise.all(sites.map(({ disk }) => readdir(disk.folders.uploads)))
  expect(folders.flat()).toHaveLength(1)
})

test('of two uploads at two nodes that do not both fit into the store, one is opened', async () => {
  await nodes.one.db.deleteFrom('uploads').execute()
  for (const { config } of sites) config.media.limitBytes = 10 * MB
  expect(await uploadAtOnce([bob, cid])).toEqual([201, 507])
})
