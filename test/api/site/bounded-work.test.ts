import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { removeAccount } from '#server/desk/account-deletion/account-deletion.service.ts'
import { countListedPages, renderListedPages } from '#server/discovery/sharing/sitemap.queries.ts'
import { BATCH_ROWS } from '#server/platform/db/batches.ts'
import { countTurns } from '#test/support/count-turns.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const VIDEOS = 4500
const MANY = BATCH_ROWS * 2 + 50

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask } = callsOf(site)
const { ann } = setUpFileMembers(site, ['ann'])
beforeAll(async () => {
  await site.db.transaction().execute(async (transaction) => {
    for (let at = 0; at < VIDEOS; at++)
      await site.addVideo(ann, { title: `Numbat ${at}` }, transaction)
  })
})

test('a sitemap is made a little at a time, each address once and in order', async () => {
  const render = (offset: number, limit: number) =>
    renderListedPages(site.db, { origin: 'x', offset, limit })
  const total = await countListedPages(site.db)
  expect(total).toBe(VIDEOS + 1)
  let all = ''
  expect(await countTurns(async () => (all = await render(0, 50_000)))).toBeGreaterThanOrEqual(3)
  const paths = [...all.matchAll(/<loc>x([^<]*)/g)].map(([, path]) => path)
  expect(paths).toHaveLength(total)
  expect(paths.slice(0, 2)).toEqual(['/video/1', '/video/2'])
  expect(paths.at(-1)).toBe(`/profile/${ann.id}`)
  const parts = await Promise.all([0, 2000, 4000, 6000].map((offset) => render(offset, 2000)))
  expect(parts.join('')).toBe(all)
  expect(await render(total, 10)).toBe('')
})

test.skipIf(isOnPostgres)(
  'the titles of a channel are in order in an index, also those with accents',
  async () => {
    const id = await site.addVideo(ann, { title: 'École' })
    const list = (input: object) =>
      ask<{ items: { title: string }[] }>(ann, 'video.listByUser', {
        id: ann.id,
        sort: 'title',
        ...input,
      })
    expect((await list({})).items[0]?.title).toBe('École')
    await ask(ann, 'video.edit', { id, title: 'Žebra' })
    expect((await list({ q: 'zeb' })).items.map(({ title }) => title)).toEqual(['Žebra'])
    const plan = await sql<{ detail: string }>`
    EXPLAIN QUERY PLAN SELECT id, foldedTitle FROM videos
    WHERE userId = ${ann.id} AND (foldedTitle, id) > ('m', 0)
    ORDER BY foldedTitle, id LIMIT 48`.execute(site.db)
    expect(plan.rows.map(({ detail }) => detail).join()).toMatch(/videosByTitle[^,]*$/)
  },
)

test.skipIf(isOnPostgres)(
  'comments are pinned and in the order of their likes in an index, and are counted in one alone',
  async () => {
    const explain = async (statement: string) => {
      const { rows } = await sql<{
        detail: string
      }>`EXPLAIN QUERY PLAN ${sql.raw(statement)}`.execute(site.db)
      return rows.map(({ detail }) => detail).join('; ')
    }
    const score = `("likeCount" - "dislikeCount")`
    const order = `ORDER BY ${score} DESC, "id" DESC LIMIT 21`
    const after = `(${score} <= 0 AND (${score} < 0 OR "id" < 100))`
    const lists = [
      [
        'bestCommentsByVideo',
        `"comments" WHERE "videoId" = 1 AND "clipId" IS NULL AND "parentId" IS NULL`,
      ],
      [
        'bestCommentsByClip',
        `"comments" WHERE "videoId" = 1 AND "clipId" = 1 AND "parentId" IS NULL`,
      ],
      ['bestCommentsByPost', `"comments" WHERE "postId" = 1 AND "parentId" IS NULL`],
    ] as const
    for (const [index, rows] of lists) {
      const plan = await explain(`SELECT "content" FROM ${rows} AND ${after} ${order}`)
      expect(plan).toMatch(new RegExp(`^SEARCH \\w+ USING INDEX ${index} \\([^;]*<expr><\\?[^;]*$`))
    }
    for (const [index, rows] of [
      ['pinnedByVideoAndClip', `"videoId" = 1 AND coalesce("clipId", 0) = 0`],
      ['pinnedByPost', `"postId" = 1`],
    ]) {
      const plan = await explain(
        `SELECT "content" FROM "comments" WHERE ${rows} AND "isPinned" = 1`,
      )
      expect(plan).toMatch(new RegExp(`^SEARCH comments USING INDEX ${index} `))
    }
    const count = `SELECT count(*) FROM "comments" WHERE "videoId" = 1 AND "clipId" IS NULL`
    expect(await explain(`${count} AND "withheld" IS NULL`)).toMatch(
      /^SEARCH comments USING COVERING INDEX countedComments[^;]*$/,
    )
    expect(await explain(`${count} AND "withheld" IS NOT NULL`)).toMatch(
      /^SEARCH comments USING COVERING INDEX countedComments[^;]*$/,
    )
    const ofPost = `SELECT count(*) FROM "comments" WHERE "postId" = 1 AND "withheld" IS NULL`
    expect(await explain(ofPost)).toMatch(
      /^SEARCH comments USING COVERING INDEX countedCommentsByPost[^;]*$/,
    )
  },
)

test('thousands of notifications are marked as read in batches', async () => {
  const bob = await site.addMember('bob')
  const row = { userId: bob.id, type: 'like' as const, title: 'A', message: 'b', createdAt: NOW }
  await addRows(
    site.db,
    'notifications',
    Array.from({ length: MANY }, () => row),
  )
  const turns = await countTurns(() => ask(bob, 'notification.markAllRead', undefined))
  expect(turns).toBeGreaterThanOrEqual(3)
  const unread = site.db.selectFrom('notifications').select('id').where('read', '=', 0)
  expect(await unread.execute()).toEqual([])
})

test('an account goes in batches, with all that it counted for', async () => {
  const eve = await site.addMember('eve')
  const videos = await site.db.selectFrom('videos').select('id').orderBy('id').limit(MANY).execute()
  const likes = videos.map(({ id }) => ({ userId: eve.id, videoId: id, isLike: 1 as const }))
  await addRows(
    site.db,
    'likes',
    likes.map((like) => ({ ...like, createdAt: NOW })),
  )
  await site.db.updateTable('videos').set({ likeCount: 1 }).where('id', '<=', MANY).execute()
  const comment = { videoId: 1, userId: eve.id, content: 'hi', createdAt: NOW }
  await addRows(
    site.db,
    'comments',
    Array.from({ length: MANY }, () => comment),
  )
  const turns = await countTurns(() =>
    removeAccount(site.deps, { userId: eve.id, withComments: false }),
  )
  expect(turns).toBeGreaterThanOrEqual(6)
  const counted = site.db.selectFrom('videos').select('id').where('likeCount', '<>', 0)
  expect(await counted.execute()).toEqual([])
  const left = await site.db.selectFrom('comments').select('userId').distinct().execute()
  expect(left).toEqual([{ userId: null }])
})
