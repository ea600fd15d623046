import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSite, type TestSite } from '#test/support/test-site.ts'

let site: TestSite
const lines: string[] = []
beforeAll(async () => {
  const stream = new PassThrough()
  stream.on('data', (data) => lines.push(...`${data}`.trim().split('\n')))
  site = await openTestSite({}, { logger: { level: 'debug', stream } })
})
afterAll(() => site.close())

const logOf = (id: unknown) =>
  lines.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === id)

test('every answer has a name of its own, one from memory too, and never one that was sent', async () => {
  const headers = { 'x-request-id': 'chosen-elsewhere', 'request-id': 'chosen-elsewhere' }
  const ask = (url: string) => site.call({ url, method: 'GET', headers })
  const answers = await Promise.all(['/api/videos', '/api/videos', '/api/nothing'].map(ask))
  answers.push(await ask('/api/videos'), await ask('/api/%E0%A4%A'))
  const ids = answers.map((answer) => `${answer.headers['x-request-id']}`)
  expect(new Set(ids).size).toBe(answers.length)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}$/)
  expect(logOf(ids[0])).toMatchObject([{ level: 20, status: 200, url: '/api/videos' }])
})

test('a failure of the server is in the log under the name that its answer has', async () => {
  await sql`ALTER TABLE "comments" RENAME TO "elsewhere"`.execute(site.db)
  const owner = await site.addMember('owner')
  const id = await site.addVideo(owner)
  const plain = await site.call({ method: 'GET', url: `/api/videos/${id}/comments` })
  const input = encodeURIComponent(JSON.stringify({ id }))
  const call = await site.call({ method: 'GET', url: `/trpc/comment.list?input=${input}` })
  await sql`ALTER TABLE "elsewhere" RENAME TO "comments"`.execute(site.db)
  await sql`ALTER TABLE "siteSettings" RENAME TO "elsewhere"`.execute(site.db)
  const page = await site.call({ method: 'GET', url: '/feeds/videos.xml' })
  await sql`ALTER TABLE "elsewhere" RENAME TO "siteSettings"`.execute(site.db)

  expect([page.statusCode, page.body]).toEqual([
    500,
    `Something went wrong on the server. Please try again.\nRequest ${page.headers['x-request-id']}`,
  ])
  expect([plain.statusCode, plain.body]).toEqual([
    500,
    'Something went wrong on the server. Please try again.',
  ])
  expect(call.statusCode).toBe(500)
  for (const [answer, msg] of [
    [plain, 'request failed'],
    [call, 'procedure failed'],
  ] as const) {
    const found = logOf(answer.headers['x-request-id'])
    expect(found).toContainEqual(expect.objectContaining({ level: 50, msg }))
    expect(JSON.stringify(found)).toMatch(/no such table|does not exist/)
  }
})
