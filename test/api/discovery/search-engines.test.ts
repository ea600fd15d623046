import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findVideos } from '#server/discovery/search/find-videos.ts'
import { indexIsWhole, rebuildSearchIndex } from '#server/discovery/search/index-health.queries.ts'
import { indexWaiting } from '#server/discovery/search/index-upkeep.service.ts'
import { createPostgresIndex } from '#server/discovery/search/postgres/vector-search.ts'
import { createSearcher, type Searcher } from '#server/discovery/search/searcher.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { foldText } from '#server/platform/db/words.ts'
import { isListedFor } from '#server/video/video/video.access.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { addRow, addRows } from '#test/support/rows.ts'
import {
  type CorpusQuery,
  type CorpusVideo,
  listCorpusNames,
  listCorpusQueries,
  listCorpusVideos,
} from '#test/support/search-corpus.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const [VIDEOS, QUERIES] = isLongForm ? [10_000, 500] : [400, 30]
if (isLongForm) vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 1_800_000 })
/** Of queries whose first ten results are the same on both engines. */
const SAME_MIN = 0.95
const AT_A_TIME = 500
const ANY = {
  category: undefined,
  sort: 'relevance',
  audience: 'members',
  offset: 0,
  limit: 10,
} as const
const AUDIENCES = ['everybody', 'members'] as const

type Site = { db: Database; reader: Database; searcher: Searcher }

const folder = setUpFolder('engines')
let url: string
let sqlite: Site
let postgres: Site
let videos: CorpusVideo[]
let queries: CorpusQuery[]
beforeAll(async () => {
  url = await createMigratedDatabase()
  const [here, there] = [openDatabase(folder), openPostgresDatabase(url)]
  await migrateToLatest(here)
  sqlite = open(here, openDatabaseToRead(folder))
  postgres = open(there, openPostgresDatabase(url))
  videos = listCorpusVideos(VIDEOS)
  queries = listCorpusQueries(videos, QUERIES)
  for (const { db } of [sqlite, postgres]) {
    await fill(db)
    // The whole takes minutes 50 at a time.
    if (isLongForm) await rebuildSearchIndex(db)
    else await index(db)
  }
})
afterAll(async () => {
  for (const { db, reader, searcher } of [sqlite, postgres]) {
    await searcher.stop()
    await Promise.all([db.destroy(), reader.destroy()])
  }
  await dropDatabase(url)
})

const open = (db: Database, reader: Database): Site => ({
  ...{ db, reader },
  searcher: createSearcher({ db, dataFolder: folder }),
})
const index = (db: Database) => indexWaiting({ db, closing: new AbortController().signal })

/** Members and videos come in the same order everywhere, so that they have the same ids. */
async function fill(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const owners: number[] = []
    for (const names of listCorpusNames()) {
      const member = { email: `${names.username}@example.org`, createdAt: timestamp() }
      const id = await addRow(transaction, 'users', {
        ...names,
        ...member,
        password: 'no password matches this',
      })
      owners.push(id)
    }
    const rows = videos.map(({ owner, fields }, at): NewVideoRow => {
      const needed = { title: '', publishedAt: '', processingState: 'ready' } as const
      return { ...needed, ...fields, userId: owners[owner] ?? 0, mediaKey: `video ${at}` }
    })
    for (let at = 0; at < rows.length; at += AT_A_TIME) {
      await addRows(transaction, 'videos', rows.slice(at, at + AT_A_TIME))
    }
  })
}

/** As the site does it: a new title comes with what filter boxes compare. */
const change = (db: Database, ids: number[], { title, ...others }: Partial<NewVideoRow>) =>
  db
    .updateTable('videos')
    .set({ ...others, ...(title && { title, foldedTitle: foldText(title) }) })
    .where('id', 'in', ids)
    .execute()

/** Answers to all queries and to whoever types them, for each audience. */
async function answersOf({ searcher }: Site) {
  const answers = []
  for (const query of queries) {
    for (const audience of AUDIENCES) {
      const found = await searcher.findVideos({ ...query, audience, offset: 0, limit: 10 })
      const suggested = await searcher.findSuggestions({ q: query.q, audience })
      answers.push({ query, audience, ...found, suggested })
    }
  }
  return answers
}

/** Fails when any of what was found is not for whom it was found. */
async function expectListed(db: Database, answers: Awaited<ReturnType<typeof answersOf>>) {
  for (const audience of AUDIENCES) {
    const rows = await db.selectFrom('videos').select('id').where(isListedFor(audience)).execute()
    const listed = new Set(rows.map(({ id }) => id))
    const found = answers
      .filter((answer) => answer.audience === audience)
      .flatMap(({ ids, suggested }) => [
        ...ids,
        ...suggested.flatMap((one) => (one.kind === 'video' ? [one.id] : [])),
      ])
    expect(found.length).toBeGreaterThan(QUERIES)
    expect(found.filter((id) => !listed.has(id))).toEqual([])
  }
}

/** Fails unless the engines agree; of what they do not agree in, the first few are shown. */
async function expectSame(): Promise<void> {
  const [here, there] = [await answersOf(sqlite), await answersOf(postgres)]
  const different = here.flatMap((answer, at) => {
    const other = there[at]
    return JSON.stringify(answer) === JSON.stringify(other) ? [] : [{ answer, other }]
  })
  const same = 1 - different.length / here.length
  expect(same, JSON.stringify(different.slice(0, 5))).toBeGreaterThanOrEqual(SAME_MIN)
  expect(here.filter(({ total }) => total > 10).length).toBeGreaterThan(QUERIES / 2)
  await expectListed(sqlite.db, here)
  await expectListed(postgres.db, there)
}

test('both engines give the same answers to the same questions', expectSame)

test('a look at the first of an order finds what the index of all would', async () => {
  const ahead = createPostgresIndex(postgres.db, { veryMany: 0 })
  const plain = createPostgresIndex(postgres.db, { veryMany: Number.POSITIVE_INFINITY })
  for (const { q, sort } of queries.slice(0, 50)) {
    const input = { ...ANY, q, sort }
    expect(await findVideos(ahead, input), q).toEqual(await findVideos(plain, input))
  }
})

longTest(
  'a video that is hidden is found by neither before its index has followed, nor after',
  async () => {
    const first = await answersOf(postgres)
    const ids = [...new Set(first.flatMap((answer) => answer.ids.slice(0, 1)))]
    const half = Math.ceil(ids.length / 2)
    for (const { db } of [sqlite, postgres]) {
      await change(db, ids.slice(0, half), { contentApproved: 0 })
      await change(db, ids.slice(half), { visibility: 'private' })
    }
    await expectListed(postgres.db, await answersOf(postgres))
    for (const { db } of [sqlite, postgres]) await index(db)
    await expectSame()
  },
)

longTest('an index that follows changes is the one that is made anew', async () => {
  const { db, reader } = postgres
  const rows = await db.selectFrom('videos').select('id').orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  await change(db, ids.slice(0, 70), { title: 'Žebra ★ crossing', tags: '["stripes"]' })
  await db.deleteFrom('videos').where('id', 'in', ids.slice(70, 80)).execute()
  await db.updateTable('users').set({ displayName: 'Numbat' }).where('id', '=', 1).execute()
  await index(db)
  expect(await indexIsWhole(reader)).toBe(true)
  const before = await answersOf(postgres)
  for (const harm of [
    `DELETE FROM "videoSearch" WHERE "videoId" = ${await findIndexed()}`,
    `UPDATE "videoSearch" SET "text" = "title" WHERE "videoId" = ${await findIndexed()}`,
    `INSERT INTO "videoSearch" SELECT 999999, "title", "names", "text" FROM "videoSearch" LIMIT 1`,
    `DELETE FROM "channelSearch" WHERE "userId" = 1`,
    `UPDATE "searchTerms" SET "videoCount" = 2 WHERE "term" = 'zebra'`,
  ]) {
    await sql.raw(harm).execute(db)
    expect(await indexIsWhole(reader), harm).toBe(false)
    await rebuildSearchIndex(db)
    expect(await indexIsWhole(reader)).toBe(true)
  }
  expect(await answersOf(postgres)).toEqual(before)
})

async function findIndexed(): Promise<number> {
  const indexed = postgres.db.selectFrom('searchedVideos').select('videoId').orderBy('videoId')
  return (await indexed.executeTakeFirstOrThrow()).videoId
}
