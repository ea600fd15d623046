import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { openTestSite, type TestMember, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ann: TestMember
let video: number
beforeAll(async () => {
  site = await openTestSite()
  ann = await site.addMember('ann')
  video = await site.addVideo(ann, { title: 'First title' })
})
afterAll(() => site.close())

const read = (url: string, options: { as?: TestMember; headers?: object } = {}) =>
  site.call({ method: 'GET', url, ...options } as Parameters<TestSite['call']>[0])
const titles = async (url: string, options: { as?: TestMember } = {}) =>
  (await read(url, options)).json().map((found: { title: string }) => found.title)

test('a visitor never hears anything older than the last write', async () => {
  for (let round = 0; round < 5; round++) {
    const title = `Title ${round}`
    expect(await titles('/api/videos')).toEqual(await titles('/api/videos?_t=1'))
    await site.call({ as: ann, method: 'PATCH', url: `/api/videos/${video}`, payload: { title } })
    for (let again = 0; again < 3; again++) {
      expect(await titles('/api/videos')).toEqual([title])
      expect(await titles(`/api/videos?_t=${again}`)).toEqual([title])
    }
  }
})

test('nor older than what another program wrote', async () => {
  await titles('/api/videos')
  const other = openDatabase(site.dataFolder)
  await other.updateTable('videos').set({ contentApproved: 0 }).execute()
  await other.destroy()
  expect(await titles('/api/videos')).toEqual([])
  await site.db.updateTable('videos').set({ contentApproved: 1 }).execute()
  expect(await titles('/api/videos')).toHaveLength(1)
})

test('a member is not given what a visitor was, nor the other way round', async () => {
  const url = `/api/users/${ann.id}/videos`
  await site.addVideo(ann, { title: 'Pending', contentApproved: 0 })
  for (let again = 0; again < 3; again++) {
    expect(await titles(url)).toHaveLength(1)
    expect(await titles(url, { as: ann })).toHaveLength(2)
  }
  const ended = { headers: { cookie: 'clutch=nothing' } }
  expect((await read(url, ended)).json()).toHaveLength(1)
})

test('one who asks for another form of an answer does not change it for the rest', async () => {
  const url = '/trpc/video.categories,site.settings?batch=1'
  const stream = { headers: { 'trpc-accept': 'application/jsonl' } }
  const streamed = await read(url, stream)
  for (let again = 0; again < 2; again++) {
    expect((await read(url)).json()).toHaveLength(2)
    expect((await read(url, stream)).body).toBe(streamed.body)
  }
})

test('an answer from memory has the headers and the Link of the first', async () => {
  await site.addVideo(ann, { title: 'Another' })
  const [first, second] = [await read('/api/videos?limit=1'), await read('/api/videos?limit=1')]
  expect(second.body).toBe(first.body)
  expect(second.headers.link).toBe(first.headers.link)
  for (const name of ['content-type', 'x-content-type-options', 'content-security-policy']) {
    expect(second.headers[name]).toBe(first.headers[name])
  }
  await read('/api/videos/999')
  expect((await read('/api/videos/999')).statusCode).toBe(404)
})
