import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { endExpiredVideos } from '#server/video/expiry/expiry.service.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'

const DAY_MS = 86_400_000

let nodes: TestNodes
let sites: TestSite[]
let ann: TestMember
beforeAll(async () => {
  nodes = await openTestNodes({ processingJobs: 0 })
  sites = [nodes.one, nodes.other]
  ann = await nodes.one.addMember('ann')
})
afterAll(() => nodes.close())

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
