import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { addSharedVideo, openSiteWithPages } from '#test/support/shared-site.ts'
import { askAndStall, getRequest } from '#test/support/stalled-client.ts'
import { partsOf, storeFiles } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

/** More than what systems take in for a client that does not read. */
const LARGE_BYTES = 32 * 1024 * 1024

let site: Awaited<ReturnType<typeof openSiteWithPages>>
let ann: TestMember
let port: number
beforeAll(async () => {
  site = await openSiteWithPages()
  ann = await site.addMember('ann')
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
})
afterAll(() => site.close())

const ENDS: [string, (link: number, videoId: number) => Promise<unknown>][] = [
  ['is revoked', (id) => answerOf(site, { as: ann, name: 'shareLink.revoke', input: { id } })],
  ['expires', (id) => update('shareLinks', id, { expiresAt: timestamp() })],
  ['opens what an admin hides', (_, id) => update('videos', id, { contentApproved: 0 })],
  ['a banned member made', () => update('users', ann.id, { bannedAt: timestamp() })],
]
const countConnections = () => promisify(site.app.server.getConnections.bind(site.app.server))()
const update = (table: 'shareLinks' | 'videos' | 'users', id: number, change: object) =>
  site.db.updateTable(table).set(change).where('id', '=', id).execute()

test.each(ENDS)('who is being sent a file gets no more of it by a link that %s', async (_, end) => {
  await update('users', ann.id, { bannedAt: null })
  const { id: videoId, video } = await addSharedVideo(site, ann, { visibility: 'private' })
  await storeFiles(site, partsOf(video)[0], { 'video.mp4': Buffer.alloc(LARGE_BYTES) })
  const { id, url } = await answerOf<{ id: number; url: string }>(site, {
    ...{ as: ann, name: 'shareLink.create', input: { videoId } },
  })
  const path = `${new URL(url).pathname}/media/video.mp4`
  const [watching, other] = [
    await askAndStall(port, getRequest(path)),
    await askAndStall(port, getRequest('/robots.txt')),
  ]
  await end(id, videoId)
  // Who reads on would have the rest before the next look.
  await until(async () => (await countConnections()) === 1)
  const closed = once(watching, 'close')
  watching.resume()
  await closed
  expect(watching.bytesRead).toBeLessThan(LARGE_BYTES)
  expect(other.destroyed).toBe(false)
  other.destroy()
})
