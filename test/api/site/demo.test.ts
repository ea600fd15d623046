import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { addVideos } from '#test/support/site-rows.ts'
import { type Company, doSomething, keepCompany } from '#tools/demo/company.ts'
import { foundSite, planCommunity } from '#tools/demo/found-site.ts'
import { createMembersCalls } from '#tools/demo/live-site.ts'
import { holdBack, planVideos } from '#tools/demo/video-plan.ts'
import { createRandom } from '#tools/seed/random.ts'

const folder = setUpFolder('demo')
const community = planCommunity({ seed: 7, until: Date.now() })
const ending = new AbortController()
let server: ServerProcess
let db: Database
let company: Company

beforeAll(async () => {
  await foundSite(folder, { community, password: 'correct horse' })
  server = await startServer({ dataFolder: folder })
  db = openDatabase(folder)
  const planned = planVideos(12, community)
  const ids = await addVideos(
    db,
    planned.map(({ owner, title, description, category, duration, isApproved }) => ({
      ...{ userId: owner.id, title, description, category, duration },
      contentApproved: isApproved ? 1 : 0,
    })),
  )
  const calls = createMembersCalls({ origin: server.origin, db, signal: ending.signal })
  const videos = planned.flatMap(({ recording: _, ...video }, index) => ({
    ...video,
    id: ids[index] ?? 0,
  }))
  company = { calls, db, community, videos, signal: ending.signal }
})
afterAll(async () => {
  ending.abort()
  await db.destroy()
  await server.remove()
})

const TABLES = ['comments', 'likes', 'videoReactions', 'posts', 'clips'] as const
const countRows = async () => {
  let sum = 0
  for (const table of TABLES) {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    sum += Number(count)
  }
  return sum
}

test('the members of a demo go on when somebody deletes, hides or bans something meanwhile', async () => {
  const [deleted, hidden] = company.videos
  await db
    .deleteFrom('videos')
    .where('id', '=', deleted?.id ?? 0)
    .execute()
  await db
    .updateTable('videos')
    .set({ visibility: 'private' })
    .where('id', '=', hidden?.id ?? 0)
    .execute()
  await db
    .updateTable('users')
    .set({ bannedAt: new Date().toISOString() })
    .where('id', '=', community.members[3]?.id ?? 0)
    .execute()
  await keepCompany(company)
  expect(await countRows()).toBeGreaterThan(50)
})

test('each minute of a demo adds something, and no post is written twice', async () => {
  const random = createRandom(community.seed, 'minutes')
  for (let minute = 0; minute < 20; minute++) {
    const before = await countRows()
    expect(await doSomething(company, random)).toBe(true)
    expect(await countRows()).toBeGreaterThan(before)
  }
  const posts = await db.selectFrom('posts').select('content').execute()
  expect(new Set(posts.map(({ content }) => content)).size).toBe(posts.length)
  await db.deleteFrom('videos').execute()
  expect(await doSomething({ ...company, videos: [] }, random)).toBe(false)
})

test('a tenth of the videos is published later, but none that waits for approval', () => {
  const counts = [3, 12, 60].map((count) => {
    const { now, later } = holdBack(planVideos(count, community))
    return [now.length, later.length, later.every(({ isApproved }) => isApproved)]
  })
  expect(counts).toEqual([
    [3, 0, true],
    [11, 1, true],
    [54, 6, true],
  ])
})
