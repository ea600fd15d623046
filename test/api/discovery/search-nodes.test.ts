import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexIsWhole, rebuildSearchIndex } from '#server/discovery/search/index-health.queries.ts'
import { indexVideos } from '#server/discovery/search/index-rows.queries.ts'
import {
  INDEXED_AT_A_TIME,
  indexNext,
  indexWaiting,
} from '#server/discovery/search/index-upkeep.service.ts'
import { deleteWaiting, lockWaiting } from '#server/discovery/search/outbox.queries.ts'
import { createDirectSearcher } from '#server/discovery/search/postgres/direct-searcher.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { foldText } from '#server/platform/db/words.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { addRow } from '#test/support/rows.ts'
import { until } from '#test/support/until.ts'

const COUNT = INDEXED_AT_A_TIME * 4

let url: string
/** As two nodes have it. */
let db: Database
let other: Database
let ids: number[]
beforeAll(async () => {
  url = await createMigratedDatabase()
  db = openPostgresDatabase(url)
  other = openPostgresDatabase(url)
  const names = { username: 'ann', displayName: 'Ann', email: 'ann@example.org' }
  const userId = await addRow(db, 'users', {
    ...names,
    password: 'no password matches this',
    createdAt: timestamp(),
  })
  const rows = Array.from({ length: COUNT }, (_, at) => ({
    ...{ userId, mediaKey: `video ${at}`, processingState: 'ready' as const },
    ...{ title: `Wombat ${at}`, foldedTitle: `wombat ${at}`, publishedAt: timestamp() },
  }))
  const made = await db.insertInto('videos').values(rows).returning('id').execute()
  ids = made.map(({ id }) => id)
})
afterAll(async () => {
  await Promise.all([db.destroy(), other.destroy()])
  await dropDatabase(url)
})

const index = (node: Database) => indexWaiting({ db: node, closing: new AbortController().signal })
/** As the site does it: with what filter boxes compare. */
const rename = (node: Database, title: string) =>
  node
    .updateTable('videos')
    .set({ title, foldedTitle: foldText(title) })
    .where('id', '=', ids[0] ?? 0)
    .execute()

async function listFound(q: string): Promise<number[]> {
  const more = { category: undefined, sort: 'relevance', audience: 'everybody' } as const
  const found = await createDirectSearcher(db).findVideos({ q, ...more, offset: 0, limit: 9 })
  return found.ids
}

test('searches that take long leave connections for what else is asked', async () => {
  const blocked = await other.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE "videoSearch"`.execute(transaction)
    const searcher = createDirectSearcher(db)
    const more = { category: undefined, sort: 'relevance', audience: 'everybody' } as const
    const searches = Array.from({ length: 20 }, (_, at) =>
      searcher.findVideos({ q: `word${at}`, ...more, offset: 0, limit: 9 }),
    )
    await until(async () => (await countWaitingForLocks()) > 0)
    expect(await db.selectFrom('videos').select('id').execute()).toHaveLength(COUNT)
    return searches
  })
  for (const { ids } of await Promise.all(blocked)) expect(ids).toEqual([])
})

test('two nodes may look after the index at once', async () => {
  await Promise.all([index(db), index(other), index(db), index(other)])
  await index(db)
  expect(await db.selectFrom('searchedVideos').select('videoId').execute()).toHaveLength(COUNT)
  expect(await indexIsWhole(other)).toBe(true)
})

test('a change that comes while its video is indexed is indexed once more', async () => {
  await index(db)
  await rename(db, 'Quokka early')
  let late: Promise<unknown> | undefined
  await db.transaction().execute(async (node) => {
    const waiting = (await lockWaiting(node, INDEXED_AT_A_TIME)).map(({ id }) => id)
    expect(waiting).toEqual(ids.slice(0, 1))
    await indexVideos(node, waiting)
    late = rename(other, 'Quokka late')
    await until(async () => (await countWaitingForLocks()) > 0)
    await deleteWaiting(node, { kind: 'video', ids: waiting })
  })
  await late
  await index(db)
  expect(await listFound('quokka early')).toEqual([])
  expect(await listFound('quokka late')).toEqual(ids.slice(0, 1))
})

test('what is just being changed is left to wait, and holds nobody up', async () => {
  await index(db)
  await rename(db, 'Bilby')
  await db.transaction().execute(async (transaction) => {
    await rename(transaction, 'Dibbler')
    expect(await indexNext(other)).toBe(false)
  })
  expect(await indexNext(other)).toBe(true)
  expect(await listFound('dibbler')).toEqual(ids.slice(0, 1))
  expect(await indexIsWhole(other)).toBe(true)
})

test('the index is made again beside nodes that run: in its turn, and nobody waits for it', async () => {
  await index(db)
  await sql`DELETE FROM "searchTerms"`.execute(db)
  expect(await indexIsWhole(other)).toBe(false)
  await rename(db, 'Numbat')
  const { rebuilding } = await other.transaction().execute(async (node) => {
    // Holds it up in the middle.
    await sql`SELECT 1 FROM "searchedVideos" FOR UPDATE`.execute(node)
    const rebuilding = rebuildSearchIndex(db)
    await until(async () => (await countWaitingForLocks()) > 0)
    await rename(other, 'Potoroo')
    expect(await indexNext(other)).toBe(false)
    return { rebuilding }
  })
  await rebuilding
  await index(other)
  expect(await listFound('potoroo')).toEqual(ids.slice(0, 1))
  expect(await indexIsWhole(other)).toBe(true)
})

async function countWaitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS "count" FROM "pg_locks" WHERE NOT "granted"`.execute(db)
  return rows[0]?.count ?? 0
}
