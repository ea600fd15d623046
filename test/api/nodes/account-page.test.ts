import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueExports } from '#server/desk/account-data/make-data-export.ts'
import { removeDueAccounts } from '#server/desk/account-deletion/account-deletion.service.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { changeRows, listRows } from '#test/support/rows.ts'
import { readTarFiles } from '#test/support/tar.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'

const URL = '/api/settings/data/download'
let nodes: TestNodes
beforeAll(async () => {
  nodes = await openTestNodes({ processingJobs: 0 })
})
afterAll(() => nodes.close())

test('one of two nodes prepares what the site knows, and both send it, from the bucket', async () => {
  const { one, other } = nodes
  const ann = await one.addMember('ann')
  const mediaKey = 'a'.repeat(32)
  await one.media.put([
    { key: storeKey(mediaKey, 'video.mp4'), bytes: Buffer.alloc(3000, 'video') },
  ])
  const id = await one.addVideo(ann, { mediaKey, videoUrl: `/media/${mediaKey}/video.mp4` })
  await answerOf(one, { as: ann, name: 'settings.askForData' })
  await Promise.all([makeDueExports(one.deps), makeDueExports(other.deps)])
  const [{ attempt, state } = {}] = await listRows(one.db, 'dataExports')
  expect({ attempt, state }).toEqual({ attempt: 1, state: 'done' })
  const whole = await one.get(URL, { as: ann })
  const range = 'bytes=1000-'
  const rest = await other.get(URL, {
    as: ann,
    headers: { range, 'if-range': `${whole.headers.etag}` },
  })
  expect(rest.statusCode).toBe(206)
  expect(rest.rawPayload.equals(whole.rawPayload.subarray(1000))).toBe(true)
  const file = readTarFiles(whole.rawPayload).get(`clutch-data/videos/${id}-a-video/video.mp4`)
  expect(file).toEqual(Buffer.alloc(3000, 'video'))
})

test('an attempt on a node that lost its lock writes nothing into that of another', async () => {
  const { one, other } = nodes
  const ben = await one.addMember('ben')
  await answerOf(one, { as: ben, name: 'settings.askForData' })
  const media = {
    ...one.media,
    async *list(prefix: string) {
      await changeRows(one.db, 'dataExports', { where: { userId: ben.id }, values: { attempt: 2 } })
      yield* one.media.list(prefix)
    },
  }
  await one.addVideo(ben)
  await makeDueExports({ ...one.deps, media })
  expect(await listRows(one.db, 'dataExports', { userId: ben.id })).toMatchObject([
    { state: 'running', attempt: 2 },
  ])
  await makeDueExports(other.deps)
  expect(await listRows(one.db, 'dataExports', { userId: ben.id })).toMatchObject([
    { state: 'done', attempt: 3 },
  ])
})

test('an account whose day has come is deleted once, whichever node looks', async () => {
  const { one, other } = nodes
  const eve = await one.addMember('eve')
  await changeRows(one.db, 'users', { where: { id: eve.id }, values: { deletesAt: timestamp() } })
  await Promise.all([removeDueAccounts(one.deps), removeDueAccounts(other.deps)])
  expect(await listRows(other.db, 'users', { id: eve.id })).toEqual([])
})
